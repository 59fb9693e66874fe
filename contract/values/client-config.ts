/** The forms of the configuration files of AI clients. */

/** The server to connect to. `token` is an access token, a placeholder for one, or null for a public server. */
export type Target = { slug: string; url: string; token: string | null }

/** Where a client's configuration has its servers: entries by name in the member `at` of the file. */
export type ClientConfig = {
  format: 'json' | 'toml' | 'yaml'
  at: string
  entry: (target: Target) => Record<string, unknown>
}

/** The part of a configuration file with one server. */
export function configText({ format, at, entry }: ClientConfig, target: Target): string {
  const members = entry(target)
  if (format === 'json') return JSON.stringify({ [at]: { [target.slug]: members } }, null, 2)
  if (format === 'toml') return tomlTable(`${at}.${target.slug}`, members)
  return [`${at}:`, ...yamlEntry(target.slug, members, '  ')].join('\n')
}

/** A table of TOML. JSON strings, numbers and booleans are also those of TOML and YAML. */
export function tomlTable(name: string, members: Record<string, unknown>): string {
  return [`[${name}]`, ...Object.entries(members).map(([key, value]) => `${key} = ${tomlValue(value)}`)].join('\n')
}

function tomlValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${key} = ${JSON.stringify(member)}`)
  return `{ ${members.join(', ')} }`
}

/** The lines of an entry of a YAML mapping. */
export function yamlEntry(name: string, members: Record<string, unknown>, indent: string): string[] {
  return [
    `${indent}${yamlKey(name)}:`,
    ...Object.entries(members).flatMap(([key, value]) => {
      if (typeof value !== 'object' || value === null) return `${indent}  ${yamlKey(key)}: ${yamlScalar(value)}`
      return yamlEntry(key, value as Record<string, unknown>, `${indent}  `)
    }),
  ]
}

/** Texts that YAML 1.1 reads as something else than a string. */
const OTHER_VALUES = /^(?:true|false|null|yes|no|on|off|y|n)$/i

const yamlKey = (name: string): string =>
  /^[a-z][\w-]*$/i.test(name) && !OTHER_VALUES.test(name) ? name : JSON.stringify(name)

/** Words need no quotes. */
function yamlScalar(value: unknown): string {
  const isWord = typeof value === 'string' && /^[a-z][a-z_]*$/.test(value) && !OTHER_VALUES.test(value)
  return isWord ? value : JSON.stringify(value)
}
