import { z } from 'zod'
import { createdAt, ok, updatedAt } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { AnswerPartSchema, embedQuestion, embedTool } from './embed.ts'
import { MAX_SETTING_TEXT, type SettingName, parseSetting } from '#values/setting-texts.ts'

/** Configurations per developer: one for each domain, for far more domains than people maintain by hand. */
export const MAX_CONFIGURATIONS = 200

const layout = z.enum(['horizontal', 'vertical'])

const ConfigurationSchema = z.object({
  id: z.string().describe('Id of the configuration, for the widget'),
  developerId: z.string().describe('Id of the developer'),
  name: z.string().describe('Display name; the domain if none was given'),
  domain: z.string().nullable().describe('The domain whose pages may use it, with its subdomains; null: any page'),
  tools: z.string().describe('JSON text: a list of tools, `{name, enabled}`, in the order of the tabs'),
  sources: z.string().describe('JSON text: a list of sources, `{type, enabled, serverId?, sourceId?}`'),
  colors: z.string().describe('JSON text: an object of CSS colors'),
  layout: layout.describe('Where the widget has its tabs: above the answer or beside it'),
  fontFamily: z.string().describe('Font of the widget; empty: that of the page'),
  isActive: z.boolean().describe('Whether the widget answers'),
  createdAt,
  updatedAt,
})

const listConfigurations = defineOperation({
  method: 'GET',
  path: '/api/configurations',
  auth: 'developer',
  needs: ['editor', 'write'],
  summary: 'List the widget configurations, the last updated first',
  input: z.object({}),
  output: z.array(ConfigurationSchema),
  errors: ['developer_unauthorized', 'credentials_unavailable'],
})

const saveConfiguration = defineOperation({
  method: 'POST',
  path: '/api/configurations',
  auth: 'developer',
  needs: ['editor', 'write'],
  summary: 'Create the widget configuration of a domain, or update it',
  description: `There is one configuration for each domain, and one for no domain. Fields that are left out keep their value; in
a new configuration they get an empty list or object, the layout \`horizontal\` and the font of the page. \`tools\`, \`sources\`
and \`colors\` are parsed before they are stored. Text that a browser could take for markup or for a script is refused, and so are names of tools that the account does not have.
Colors that the widget knows are \`primary\`, \`background\` and \`text\`, and \`darkPrimary\`, \`darkBackground\` and \`darkText\` for
dark mode.`,
  input: z.object({
    domain: z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .refine(
        isDomain,
        'must be a domain such as docs.example.com, without scheme, port and path. Only localhost and 127.0.0.1 can have a port',
      )
      .nullish()
      .describe(
        'The domain whose pages may use it, with its subdomains; null: any page. For development: `localhost:3000`',
      ),
    name: z.string().trim().min(1).max(100).nullish().describe('Display name'),
    tools: settingText('tools').describe('JSON text: a list of `{name, enabled}`'),
    sources: settingText('sources').describe('JSON text: a list of `{type, enabled, serverId?, sourceId?}`'),
    colors: settingText('colors').describe('JSON text: an object such as `{"primary": "#00665e"}`'),
    layout: layout.nullish().describe('Where the widget has its tabs'),
    fontFamily: z
      .string()
      .trim()
      .max(100)
      .regex(/^[A-Za-z0-9 ]*$/, 'must have only letters, digits and spaces')
      .nullish()
      .describe('Font of the widget; empty: that of the page'),
    isActive: z.boolean().nullish().describe('Whether the widget answers; `true` in a new configuration'),
  }),
  output: ConfigurationSchema,
  errors: ['developer_unauthorized', 'invalid_input', 'unknown_tool', 'configuration_limit', 'credentials_unavailable'],
})

const tryConfiguration = defineOperation({
  method: 'POST',
  path: '/api/configurations/try',
  auth: 'developer',
  needs: ['editor', 'write'],
  audited: false,
  rateLimit: { limit: 60, windowMs: 60_000, of: 'trial questions to a widget' },
  produces: 'application/x-ndjson',
  summary: 'Ask a question as the visitor of a widget would, without saving its configuration',
  description:
    'For the builder of widgets. Answers like `POST /api/embed/ask` without an attribution token. The call does not count towards the monthly allowance, and is not in the request log.',
  input: z.object({
    sources: settingText('sources').describe('JSON text: a list of `{type, enabled, serverId?, sourceId?}`'),
    tool: embedTool.describe('The tool to use'),
    question: embedQuestion,
  }),
  output: AnswerPartSchema,
  errors: ['developer_unauthorized', 'invalid_input', 'too_many_requests', 'embed_without_sources'],
})

const deleteConfiguration = defineOperation({
  method: 'DELETE',
  path: '/api/configurations/{configurationId}',
  auth: 'developer',
  needs: ['editor', 'publish'],
  resource: 'ownConfiguration',
  summary: 'Delete a widget configuration, with its sessions and feedback',
  description: 'Widgets with it stop answering at once.',
  input: z.object({ configurationId: z.string().describe('Id of the configuration') }),
  output: z.object({ ok }),
  errors: ['developer_unauthorized', 'configuration_not_found'],
})

export const configurationOperations = {
  'configurations.list': listConfigurations,
  'configurations.save': saveConfiguration,
  'configurations.try': tryConfiguration,
  'configurations.delete': deleteConfiguration,
} as const

/** A text that parses as the setting. The stored text is the given one. */
function settingText(setting: SettingName) {
  return z
    .string()
    .max(MAX_SETTING_TEXT)
    .superRefine((text, context) => {
      // Parsing a text that is too long would only cost time: it is refused already.
      if (text.length > MAX_SETTING_TEXT) return
      const parsed = parseSetting(setting, text)
      if ('problem' in parsed) context.addIssue({ code: 'custom', message: parsed.problem })
    })
    .nullish()
}

/** A host name with at least two labels, or an address of the developer's own machine, which can have a port. */
function isDomain(text: string): boolean {
  const colon = text.lastIndexOf(':')
  if (colon <= text.lastIndexOf(']')) return isLoopbackAddress(text) || isHostName(text)
  const [host, port] = [text.slice(0, colon), text.slice(colon + 1)]
  const isPort = /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535
  return isPort && (isLoopbackAddress(host) || (isHostName(host) && /(?:^|\.)localhost$/.test(host)))
}

/** At least two labels and a name as the last one (RFC 1035, RFC 3696), or `localhost`. */
function isHostName(text: string): boolean {
  const labels = text.split('.')
  const isNamed = labels.length > 1 ? /[a-z]/.test(labels.at(-1) ?? '') : text === 'localhost'
  return isNamed && labels.every((label) => label.length <= 63 && /^[a-z0-9-]+$/.test(label) && !/^-|-$/.test(label))
}

function isLoopbackAddress(text: string): boolean {
  return (
    text === '[::1]' || (/^127(?:\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255))
  )
}
