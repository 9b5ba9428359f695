"""Shell completion: the kinds of words, and the scripts of the shells, which ask the hidden command `__complete` for candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

FILE, DIRECTORY, FUNCTION, RESOURCE, LAYER, PATTERN = "file", "directory", "function", "resource", "layer", "pattern"
INPUT, TOPIC, SCHEMA = "input", "topic", "schema"
"""What a word may be; INPUT: a package or function, then its files, resources and patterns; TOPIC: a function or kind of finding; SCHEMA: a function or answer."""
COMMAND = "__complete"
KUBECTL = "kubectl_complete-krm_values"
"""The program that kubectl asks what may follow `kubectl krm-values`."""

_BASH = r"""# completion of krm-values for bash
_krm_values() {
    local word found=() words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        found+=("$word")
    done < <(krm-values __complete "${words[@]}" 2>/dev/null)
    for word in "${found[@]}"; do
        [[ $word == */ || $word == *: ]] && compopt -o nospace
        COMPREPLY+=("$(printf %q "$word")")
    done
}
complete -F _krm_values krm-values
"""
_ZSH = r"""#compdef krm-values
# completion of krm-values for zsh
_krm_values() {
    local line
    local -a found shown open
    for line in "${(@f)$(krm-values __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        if [[ -z $line ]]; then
            continue
        elif [[ ${line%%$'\t'*} == */ || ${line%%$'\t'*} == *: ]]; then
            open+=("${line%%$'\t'*}")
        else
            found+=("${line%%$'\t'*}")
            shown+=("${line/$'\t'/  }")
        fi
    done
    (( $#found )) && compadd -l -d shown -a found
    (( $#open )) && compadd -S '' -a open
}
if [[ $funcstack[1] == _krm_values || $funcstack[1] == _krm-values ]]; then
    _krm_values "$@"
else
    compdef _krm_values krm-values
fi
"""
_FISH = r"""# completion of krm-values for fish
function __krm_values
    set -l words (commandline -opc) (commandline -ct)
    krm-values __complete $words[2..] 2>/dev/null
end
complete -c krm-values -f -a '(__krm_values)'
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
SHELLS = tuple(_SCRIPTS)


def show(shell: str, out: TextIO) -> None:
    """Print the completion script of a shell."""
    out.write(_SCRIPTS[shell])
