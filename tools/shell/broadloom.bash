# Completion of broadloom's command line for bash. Commands, options and their
# values are those that `broadloom help` tells of.

# The values of an option of a command, which help has in lines of their own or
# in the option's: "text, json or html; ...".
_broadloom_values() {
  local help
  help=$("$1" help "$2" 2>/dev/null)
  sed -n "/^  $3=/,/^  -/s/^    =\([a-z-]*\) .*/\1/p" <<<"$help"
  sed -n "s/^  $3=<[^>]*> *- \([^;]*\).*/\1/p" <<<"$help" |
    sed -n '/^[a-z -]*\(, [a-z-]*\)\{1,\} or [a-z-]*$/{s/ or /, /;s/, /,/g;p;}' |
    tr , '\n' | sed 's/.* //'
}

_broadloom() {
  local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command='' i
  # Bash splits words at "="; here --option=value is one.
  if ((COMP_CWORD > 0)) && [[ $current == '=' ]]; then
    current="${COMP_WORDS[COMP_CWORD - 1]}="
  elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then
    current="${COMP_WORDS[COMP_CWORD - 2]}=$current"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  compopt -o default
  if [[ -z $command || ($command == help && $current != -*) ]]; then
    # shellcheck disable=SC2207
    COMPREPLY=($(compgen -W "$("$program" help 2>/dev/null |
      sed -n '/^SUBCOMMANDS:/,/^  Type/s/^  \([a-z]*\) *- .*/\1/p')" -- "$current"))
  elif [[ $current == --*=* ]]; then
    # shellcheck disable=SC2207
    COMPREPLY=($(compgen -W "$(_broadloom_values "$program" "$command" "${current%%=*}")" -- "${current#*=}"))
  elif [[ $current == -* ]]; then
    # shellcheck disable=SC2207
    COMPREPLY=($(compgen -W "$("$program" help "$command" 2>/dev/null |
      sed -n 's/^  \(--*[a-z-]*\)\[\{0,1\}\(=\{0,1\}\).*/\1\2/p')" -- "$current"))
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  fi
}
complete -F _broadloom broadloom
