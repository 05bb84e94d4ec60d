# Completion of broadloom's command line for fish. Commands, options and their
# values are those that `broadloom help` tells of.

function __broadloom_command
    for word in (commandline -opc)[2..]
        if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
    return 1
end

function __broadloom_commands
    broadloom help 2>/dev/null | string replace -rf '^  ([a-z]+) +- (.*)$' '$1\t$2'
end

function __broadloom_options
    set -l command (__broadloom_command)
    or return
    set -l option (string replace -rf '^(--[a-z-]+)=.*' '$1' -- (commandline -ct))
    if test -n "$option"
        broadloom help $command 2>/dev/null | sed -n "/^  $option=/,/^  -/s/^    =\([a-z-]*\) *- *\(.*\)/$option=\1\t\2/p"
        # In the option's own line: "text, json or html; ...".
        broadloom help $command 2>/dev/null | sed -n "s/^  $option=<[^>]*> *- \([^;]*\).*/\1/p" |
            sed -n '/^[a-z -]*\(, [a-z-]*\)\{1,\} or [a-z-]*$/{s/ or /, /;s/, /,/g;p;}' |
            tr , '\n' | sed "s/.* //;s/^/$option=/"
    else
        broadloom help $command 2>/dev/null | sed -n 's/^  \(--*[a-z-]*\)\[\{0,1\}=.* - \(.*\)/\1=\t\2/p;s/^  \(--*[a-z-]*\)  *- \(.*\)/\1\t\2/p'
    end
end

complete -c broadloom -n 'not __broadloom_command >/dev/null' -f -a '(__broadloom_commands)'
complete -c broadloom -n '__broadloom_command >/dev/null; and string match -q -- "-*" (commandline -ct)' -f -a '(__broadloom_options)'
