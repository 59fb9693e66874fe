/** Number of operations per description; the names give its size in YAML. */
const SIZES = { 'yaml-5mb': 1_550, 'yaml-10mb': 3_100 }

/** API descriptions as large as the largest published ones, by name. */
export function craftDescriptions(): Record<string, string> {
  return Object.fromEntries(Object.entries(SIZES).map(([name, operations]) => [name, describeApi(operations)]))
}

const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => WORDS[(seed * 7 + at * 13 + at * at) % WORDS.length]).join(' ')
const WORDS =
  'the a widget resource identifier returns list of objects matching filter optional cursor page size default created account customer invoice amount currency status payment method'.split(
    ' ',
  )

function describeApi(operations: number): string {
  const paths = Array.from({ length: operations }, (_, at) => {
    const parameters = Array.from(
      { length: 6 },
      (_each, number) =>
        `        - name: p${number}\n          in: query\n          description: ${words(12, at + number)}\n          schema:\n            type: string\n            maxLength: 5000\n`,
    )
    return `  /v1/things${at}:\n    get:\n      operationId: getThing${at}\n      summary: ${words(6, at)} ${at}\n      description: ${words(40, at)}\n      parameters:\n${parameters.join('')}      responses:\n        "200":\n          description: ok\n          content:\n            application/json:\n              schema:\n                $ref: "#/components/schemas/T${at}"\n`
  })
  const schemas = Array.from({ length: operations }, (_, at) => {
    const fields = Array.from(
      { length: 8 },
      (_each, number) =>
        `        f${number}:\n          type: string\n          description: ${words(10, at + number)}\n`,
    )
    return `    T${at}:\n      type: object\n      description: ${words(12, at)}\n      properties:\n${fields.join('')}`
  })
  return `openapi: 3.0.3\ninfo:\n  title: Large\n  version: "1"\npaths:\n${paths.join('')}components:\n  schemas:\n${schemas.join('')}`
}
