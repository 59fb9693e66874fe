import { joinParts } from '../api/api-document.ts'
import { cellText, embedText } from '../api/embed-text.ts'
import { writeTable } from '../api/write-table.ts'
import { oneLineOf } from './one-line-of.ts'

export type PromptFacts = {
  name: string
  title: string | null
  description: string | null
  arguments: { name: string; description: string | null; required: boolean | null }[] | null
}

/** Upper bound for listed arguments. No user fills in more. */
const MAX_ARGUMENTS = 100

/** Describes a prompt of a remote MCP server: its purpose and arguments, not the prompt text. */
export function describePrompt(prompt: PromptFacts, server: string): string {
  const { title, description, arguments: args } = prompt
  const name = oneLineOf(prompt.name)
  const called = title === null || title === prompt.name ? '' : `, called "${oneLineOf(title)}"`
  const rows = (args ?? [])
    .slice(0, MAX_ARGUMENTS)
    .map((one) => [`\`${oneLineOf(one.name)}\``, one.required === true ? 'yes' : '', cellText(one.description ?? '')])
  const table = writeTable(['Argument', 'Required', 'Description'], rows)
  return joinParts([
    `# ${name}`,
    `Prompt \`${name}\` of the MCP server ${oneLineOf(server)}${called}.`,
    embedText(description ?? '', 1),
    table === '' ? '' : joinParts(['## Arguments', table]),
  ])
}
