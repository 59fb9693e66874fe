/**
 * Scripts that ask `docent __complete` for the words that can come next, with the words so far as arguments. Its answer
 * has a line per word, with a tab before its meaning. Without an answer, the shell completes names of files.
 */
export const SHELL_SCRIPTS = {
  bash: `# docent completion for bash. Load it with: source <(docent completion bash)
_docent() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" before=""
  # Bash splits words at colons and equals signs.
  if [[ "$current" == *[:=]* ]]; then before="\${current%"\${current##*[:=]}"}"; fi
  COMPREPLY=($(docent __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
  COMPREPLY=("\${COMPREPLY[@]#"$before"}")
}
complete -o default -F _docent docent
`,
  zsh: `#compdef docent
# docent completion for zsh. Load it with: source <(docent completion zsh)
_docent() {
  local -a found
  local line
  while IFS=$'\\t' read -r word about; do
    found+=("\${word//:/\\\\:}\${about:+:$about}")
  done < <(docent __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe 'docent' found; else _files; fi
}
if [ "$funcstack[1]" = "_docent" ]; then _docent "$@"; else compdef _docent docent; fi
`,
  fish: `# docent completion for fish. Save it as ~/.config/fish/completions/docent.fish
function __docent_complete
    set -l words (commandline -opc) (commandline -ct)
    docent __complete -- $words[2..-1] 2>/dev/null
end
complete -c docent -f -a '(__docent_complete)'
complete -c docent -n '__fish_seen_subcommand_from upload try backup' -F
`,
  powershell: `# docent completion for PowerShell. Add this to $PROFILE: docent completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName docent -ScriptBlock {
  param($current, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position -or "$_" -ne $current } | ForEach-Object { "$_" })
  docent __complete -- @words $(if ($current) { $current } else { '""' }) 2>$null | ForEach-Object {
    $word, $about = $_ -split "\\t", 2
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $(if ($about) { $about } else { $word }))
  }
}
`,
} as const

export type Shell = keyof typeof SHELL_SCRIPTS
export const SHELLS = Object.keys(SHELL_SCRIPTS) as Shell[]
