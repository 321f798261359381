/**
 * The scripts that shells run to complete `callsheet`. Each calls `callsheet completion words` with the words unchanged: an
 * unfinished line is never evaluated, and the completions are quoted before they are inserted.
 */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `# Completion of callsheet for bash. In ~/.bashrc: eval "$(callsheet completion bash)"
_callsheet_completion() {
  local run=(callsheet) current="\${COMP_WORDS[COMP_CWORD]}" word help
  type -P callsheet >/dev/null || run=(npx --no -- callsheet)
  COMPREPLY=()
  while IFS=$'\\t' read -r word help; do
    # Readline has split at = and replaces what follows it.
    [[ $current == = || \${COMP_WORDS[COMP_CWORD - 1]} == = ]] && word="\${word#--*=}"
    COMPREPLY+=("$(printf %q "$word")")
  done < <("\${run[@]}" completion words "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _callsheet_completion callsheet
`,
  zsh: `#compdef callsheet
# Completion of callsheet for zsh. In ~/.zshrc, after compinit: eval "$(callsheet completion zsh)"
_callsheet() {
  local word help
  local -a run=(callsheet) found shown
  (( $+commands[callsheet] )) || run=(npx --no -- callsheet)
  while IFS=$'\\t' read -r word help; do
    found+=("$word")
    shown+=("$word\${help:+  -- $help}")
  done < <("\${run[@]}" completion words "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then
    compadd -l -d shown -- "\${found[@]}"
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" = _callsheet ]]; then
  _callsheet "$@"
else
  compdef _callsheet callsheet
fi
`,
  fish: `# Completion of callsheet for fish. In ~/.config/fish/config.fish: callsheet completion fish | source
function __callsheet_completion
  set -l run callsheet
  command -q callsheet; or set run npx --no -- callsheet
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($run completion words $words[2..] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c callsheet -f -k -a '(__callsheet_completion)'
`,
}
