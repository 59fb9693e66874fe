import { joinParts } from '../api/api-document.ts'
import { cellText, embedText } from '../api/embed-text.ts'
import { oneLineOf } from './one-line-of.ts'

export type ServerFacts = { name: string; version: string | null; instructions: string | null }

type Listed = { name: string; description: string | null }

export type ServerOffers = { tools: Listed[]; prompts: Listed[] }

/** Describes a remote MCP server: its instructions and the names of its tools and prompts. */
export function describeServer({ name, version, instructions }: ServerFacts, offers: ServerOffers): string {
  const release = version === null || version === '' ? '' : `, version ${oneLineOf(version)}`
  return joinParts([
    `# ${oneLineOf(name)}`,
    `MCP server ${oneLineOf(name)}${release}.`,
    embedText(instructions ?? '', 1),
    list('Tools', offers.tools),
    list('Prompts', offers.prompts),
  ])
}

function list(heading: string, listed: Listed[]): string {
  if (listed.length === 0) return ''
  const lines = listed.map(({ name, description }) => {
    const words = cellText(description ?? '')
    return `- \`${oneLineOf(name)}\`${words === '' ? '' : `: ${words}`}`
  })
  return joinParts([`## ${heading}`, lines.join('\n')])
}
