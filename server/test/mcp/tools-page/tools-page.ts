import { type JsonSchema, code, fieldTable, table } from '@docent/contract/reference/reference-fields'
import {
  BUILT_IN_TOOLS,
  DEFAULT_TOOLS,
  MAX_TOOLS,
  MIN_TOOLS,
  REPORT_TOOL,
  kindsFor,
} from '@docent/contract/values/tools'
import { toolFor } from '#mcp/tools/tools.ts'
import { TOOL_GUIDES } from './tool-guides.ts'

/** Calls a tool and returns the text of its answer. */
type Call = (tool: string, args: object) => Promise<string>

/** docs/tools.md. Arguments come from the tools' schemas, answers from calls of a running service. */
export async function toolsPage(call: Call): Promise<string> {
  const sections = []
  for (const { name } of BUILT_IN_TOOLS) {
    const { use, call: args, remark } = TOOL_GUIDES[name]
    // With a source of type mcp, query_source has all its arguments.
    const schema = toolFor(name, [{ type: 'mcp' }])?.listed.inputSchema as JsonSchema
    sections.push(
      `## ${name}`,
      use,
      `Works with sources of type ${kindsFor(name).map(code).join(', ')}.`,
      fieldTable(schema),
      '### Example',
      fence('json', JSON.stringify({ name, arguments: args }, null, 2)),
      fence('markdown', (await call(name, args)).trimEnd()),
      remark,
    )
  }
  return `${[INTRODUCTION, CONTENTS, REST, ...sections, REPORTS, RESOURCES].join('\n\n')}\n`
}

const REPORTS = `## Reports of problems

The list of built-in tools does not have \`${REPORT_TOOL.name}\`, but a server can select it (\`{"add": "${REPORT_TOOL.name}"}\`). It counts as one of the ${MAX_TOOLS} tools, and no server has it by default. With it, an assistant tells the owner that it found no good answer, or that a page is wrong. The question is then among those [without a good answer](analytics.md#unanswered-questions), with what the assistant wrote.

${fieldTable(toolFor(REPORT_TOOL.name, [])?.listed.inputSchema as JsonSchema)}`

const RESOURCES = `## Pages as resources

Clients can read pages without a tool, through the resources of MCP. The limits of requests and the access to private servers are those of tools. A read page is in the request log as \`resources/read\`. It takes nothing from the monthly allowance, which counts calls of tools.

| Method | Answer |
| --- | --- |
| \`resources/list\` | Pages of the server with their titles, 200 in each response. The list has at most 1,000 pages, with the same share for each source. All other pages can be read too |
| \`resources/templates/list\` | The form of the addresses of each source, such as \`https://mailer.example.com/guide/{+path}\` or \`upload://handbook/{+path}\` |
| \`resources/read\` | The page at an address, as Markdown. With a fragment, only that section and its subsections |

- \`resources/read\` takes any address that a tool cites. It reads indexed text only, and requests nothing from the site.
- A page of more than 40,000 characters has several parts. A note at the end of each part gives the address of the next.
- Lines of a page that look like a note or a citation get a backslash, as in the answers of tools.
- An address without an indexed page gets the error -32602, with similar pages in its message.`

const INTRODUCTION = `# Tools of a server

AI clients call these tools over MCP, at \`POST /api/mcp/{id}\`. A server has ${MIN_TOOLS} to ${MAX_TOOLS} of them; without a selection, it has ${DEFAULT_TOOLS.map(code).join(', ')}. [PATCH /api/mcp/{id}/tools](api.md#patch-apimcpidtools) changes the selection.

This page is generated. The arguments come from the code. The answers come from a running service that indexed the small example site in \`server/test/mcp/tools-page/fixtures/\`.`

const CONTENTS = table(
  ['Tool', 'Purpose'],
  BUILT_IN_TOOLS.map(({ name, title }) => [`[${code(name)}](#${name})`, title]),
)

const REST = `## Common to all tools

- Tools only read. The exception is \`query_source\` on a server whose owner allows other tools of a remote MCP server.
- Every answer cites its pages with \`Source:\` and an address. Lines that start with \`[note]\` come from Docent, all other text from the sources.
- An answer with more results ends with a \`cursor\`. Call the tool again with the same arguments and this cursor.
- Unknown arguments are ignored, and a note says so. Wrong arguments get an error that says how to correct them.
- While the service cannot reach its data, or is overloaded, a call gets the error -32603 with \`data.reason\` (\`store_unavailable\` or \`too_busy\`) and \`data.retryAfter\`, the seconds to wait.
- During the first indexing, a note says how many pages have been searched so far.
- If a server lacks the sources that a tool needs, the answer says which source to add.
- With \`structuredOutput\`, a setting of the server, answers also have their content as data.
- \`search_docs\` and \`query_source\` also read a whole page: give its address, as cited, in \`page\`.

An example is the \`params\` of a \`tools/call\` request. This is a whole request:

\`\`\`sh
curl http://127.0.0.1:8787/api/mcp/my-docs \\
  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_docs", "arguments": {"query": "proxy"}}}'
\`\`\``

/** Longer than any fence in the answers. */
const fence = (language: string, text: string): string => `\`\`\`\`${language}\n${text}\n\`\`\`\``
