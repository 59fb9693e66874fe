import { ACCOUNT_ENDPOINT_PATH, ACCOUNT_ENDPOINT_RATE } from '@docent/contract/account-tool'
import { operations } from '@docent/contract/operations'
import { code, fieldTable, table } from '@docent/contract/reference/reference-fields'
import type { ListedTool } from '#mcp/definition/tool.ts'
import { type ManagementTool, managementTools } from '#http/account/account-tools.ts'

/** docs/account-endpoint.md. Tools and arguments come from the contract. */
export function accountPage(): string {
  const tools = managementTools()
  const contents = table(
    ['Tool', 'What it does', 'Kind'],
    tools.map(({ listed: { name, title, annotations } }) => [`[${code(name)}](#${name})`, title, kindOf(annotations)]),
  )
  return `${[INTRODUCTION, CONNECT, CALLS, '## Tools', contents, ...tools.flatMap(sectionOf)].join('\n\n')}\n`
}

const URL_HERE = `http://127.0.0.1:8787${ACCOUNT_ENDPOINT_PATH}`

const INTRODUCTION = `# The endpoint of the account

With \`POST ${ACCOUNT_ENDPOINT_PATH}\`, an AI client can manage an account over MCP: create servers, watch them being indexed, choose their tools, write rules, read their analytics and delete them. Each tool makes one request of the [management API](api.md) with the key of the client, so scope, limits and errors are the same. Like the endpoints of servers, it supports the protocol revisions with \`initialize\` and revision 2026-07-28.

This page is generated. The tools come from \`contract/\`.`

const CONNECT = `## Connect a client

The client sends an API key of the account. To let it see some servers only, use a key that is scoped to them ([POST /api/keys](api.md#post-apikeys)). An access token of a server does not work here.

\`\`\`sh
export DOCENT_API_KEY=dk_live_…   # printed by: docent admin key
claude mcp add --transport http docent ${URL_HERE} --header "Authorization: Bearer $DOCENT_API_KEY"
gemini mcp add --transport http docent ${URL_HERE} --header "Authorization: Bearer $DOCENT_API_KEY"
\`\`\`

Codex, in \`~/.codex/config.toml\`:

\`\`\`toml
[mcp_servers.docent]
url = "${URL_HERE}"
bearer_token_env_var = "DOCENT_API_KEY"
\`\`\`

Cursor, Windsurf and others, in their JSON configuration. VS Code calls the first member \`servers\`:

\`\`\`json
{
  "mcpServers": {
    "docent": {
      "type": "http",
      "url": "${URL_HERE}",
      "headers": { "Authorization": "Bearer <API_KEY>" }
    }
  }
}
\`\`\`

A client needs streamable HTTP and headers of its own. Clients that know only OAuth, or no authentication, cannot connect. Connectors of claude.ai and ChatGPT are of this kind. They also run in the cloud, so they cannot reach an address on your machine.

The operator can let clients connect by OAuth, too, with [\`DOCENT_OAUTH_ACCOUNT=on\`](settings.md#access-and-limits). The client needs the address alone, and a member signs in and allows it to use the account. It can do no more than the member. Its scopes are \`read\`, \`ask\`, \`write\` and \`publish\`, as those of keys, and what it publishes, deletes or issues needs an [approval](api.md#get-apiapprovals). Connections are listed and revoked as those of [private servers](private-servers.md#sign-in-from-the-client).

Without a key, and with one that is not valid, the answer has status 401 and a JSON-RPC error with code \`-32001\`. Its \`data.reason\` is \`missing_key\` or \`invalid_key\`. The \`WWW-Authenticate\` header has an \`error\` in the second case only.`

const CALLS = `## Common to all tools

- \`server\` is the id or the slug of a server.
- The result is text: the body of the management API's answer, as JSON and whole. \`build_custom_tool\` returns the tool in the last line of the answer, and \`get_account\` both of its answers, as \`usage\` and \`entitlements\`. Remarks follow as further texts that begin with \`[note]\`.
- \`list_servers\` and \`list_custom_tools\` return one page. A further text says how to get the next one.
- A refusal has \`isError\`. Its text is JSON with the status and the body of the answer: \`{"status": 404, "body": {"error": "Server not found"}}\`. Arguments of a wrong form are refused in the same way. If a result or the reason of a refusal can quote pages, hosts or other programs, a remark says that this is text of strangers.
- While the database of the service cannot be reached, the answer is a JSON-RPC error with a sentence, \`data.reason\` \`store_unavailable\` and \`data.retryAfter\`: the seconds to wait.
- Tools that delete need \`"confirm": true\`. With anything else they delete nothing: they look for the thing, and answer 404, or 400 \`confirmation_required\` with a sentence that says what would be deleted.
- \`build_custom_tool\` takes up to a minute. A client that sends a \`progressToken\` gets its progress in a stream.
- Access tokens are in a result only once: \`accessToken\` of \`create_server\`, and \`issuedToken.plaintext\` of \`set_server_visibility\` and \`add_source\`.
- A key can send ${ACCOUNT_ENDPOINT_RATE.limit} requests in a minute. Then the answer has status 429 and a \`Retry-After\` header. Requests do not count towards the monthly allowance.

This is a whole request:

\`\`\`sh
curl ${URL_HERE} \\
  -H "Authorization: Bearer $DOCENT_API_KEY" \\
  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_servers", "arguments": {}}}'
\`\`\``

function kindOf({ readOnlyHint, destructiveHint }: ListedTool['annotations']): string {
  if (readOnlyHint) return 'reads'
  return destructiveHint ? 'deletes' : 'changes'
}

function sectionOf({ listed, inputSchema, requests }: ManagementTool): string[] {
  const made = requests.map(({ id }) => {
    const { method, path } = operations[id]
    // Anchors as GitHub makes them from headings.
    const anchor = `${method} ${path}`.toLowerCase().replaceAll(/[^\w -]/g, '')
    return `[${code(`${method} ${path}`)}](api.md#${anchor.replaceAll(' ', '-')})`
  })
  const fields = fieldTable(inputSchema)
  return [`### ${listed.name}`, listed.description, `Requests ${made.join(' and ')}.`, fields || 'It has no arguments.']
}
