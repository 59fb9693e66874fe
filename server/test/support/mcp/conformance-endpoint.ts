import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, type EndpointResources, type EndpointTool, listTools } from '#mcp/dispatch/endpoint.ts'
import { serialiseMembers, ToolError } from '#mcp/definition/tool-result.ts'
import type { ContentBlock, Tool, ToolResult } from '#mcp/definition/tool.ts'
import { READ_ONLY } from '#mcp/definition/tool.ts'
import { bindTool } from './bind-tool.ts'
import { OPEN_HOOKS } from './open-hooks.ts'

/** One transparent pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
/** A WAV file without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const JSON_TYPE = 'application/json'
const image = { type: 'image', data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, text: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text },
})

/**
 * The endpoint that the official conformance suite expects: its tools behind the product's dispatcher. `account`: with
 * the properties of the endpoint of the account, which is private, reports progress and returns failures as results.
 */
export function conformanceEndpoint({ account = false } = {}): Endpoint {
  const bound = [
    answering('test_simple_text', { type: 'text', text: 'This is a simple text response for testing.' }),
    answering('test_image_content', image),
    answering('test_audio_content', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
    answering(
      'test_embedded_resource',
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ),
    answering(
      'test_multiple_content_types',
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
    answering('test_logging_tool', { type: 'text', text: 'No log message was sent.' }),
    answering('test_streaming_elicitation', { type: 'text', text: 'Nothing was asked.' }),
    answering('test_missing_capability', { type: 'text', text: 'Sampled.' }),
    tool('test_error_handling', () => {
      throw new ToolError('failed', 'This tool intentionally returns an error for testing')
    }),
    withSchema(answering('json_schema_2020_12_tool', { type: 'text', text: 'Accepted.' }), JSON_SCHEMA_2020_12),
  ].map((each): EndpointTool => {
    const requires = each.listed.name === 'test_missing_capability' ? { requires: { sampling: {} } } : {}
    return { ...bindTool(each, undefined), ...requires }
  })
  const tools = account
    ? [...bound, withProgress(bindTool(answering('test_tool_with_progress', DONE), undefined))]
    : bound
  return {
    info: { name: 'conformance', title: 'Conformance', version: '1.0.0' },
    instructions: 'Tools with fixed names for the conformance suite.',
    visibility: account ? 'private' : 'public',
    tools,
    listTools: (form) => listTools(tools, form),
    ...(account ? {} : { resources: RESOURCES }),
    structuredOutput: false,
    reportsProgress: account,
    legacyFailures: account ? 'result' : 'error',
    origins: { own: 'http://127.0.0.1', allowed: [] },
    hooks: OPEN_HOOKS,
  }
}

const STATIC = [
  { uri: 'test://static-text', mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG },
]

const RESOURCES: EndpointResources = {
  list: async () => serialiseMembers({ resources: STATIC.map(({ uri, mimeType }) => ({ uri, name: uri, mimeType })) }),
  listTemplates: () =>
    serialiseMembers({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'Data of an id', mimeType: JSON_TYPE }],
    }).members,
  async read(uri) {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
    const data =
      id === undefined ? undefined : { uri, mimeType: JSON_TYPE, text: JSON.stringify({ id, data: `Data for ${id}` }) }
    const found = data ?? STATIC.find((each) => each.uri === uri)
    if (found === undefined) throw new ToolError('arguments', `There is no resource ${uri}.`)
    return serialiseMembers({ contents: [found] })
  },
}

const DONE = { type: 'text', text: 'Done.' }

function withProgress(tool: EndpointTool): EndpointTool {
  return {
    ...tool,
    prepare: (args) => async (form, signal, report) => {
      for (const step of ['Reading', 'Designing', 'Validating']) {
        report?.(step)
        await sleep(50)
      }
      return tool.prepare(args)(form, signal)
    },
  }
}

/** Contains every keyword that the suite checks: the service passes declared schemas through unchanged. */
const JSON_SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

function answering(name: string, ...content: ContentBlock[]): Tool<undefined> {
  return tool(name, () => ({ content, outcome: 'answered' }))
}

function tool(name: string, call: () => ToolResult): Tool<undefined> {
  const listed = {
    name,
    title: name,
    description: `For the conformance suite: ${name}.`,
    inputSchema: { type: 'object', properties: {} },
    annotations: READ_ONLY,
  }
  return { listed, prepare: () => async () => call() }
}

function withSchema(plain: Tool<undefined>, inputSchema: Record<string, unknown>): Tool<undefined> {
  return { ...plain, listed: { ...plain.listed, inputSchema } }
}
