/** True for the heading of the section of a manual page that says what its subject is. */
export function isDescription(heading: string): boolean {
  return /^(?:description|overview)$/i.test(heading)
}

/** True for the title of a list of definitions. */
export function isGlossary(title: string): boolean {
  return /\bglossar|\bterminolog/i.test(title)
}

/** True if a heading declares a value whose name is an ordinary word, such as `property blueprint: str`. */
export function isOrdinaryValue(heading: string): boolean {
  return /^(?:abstract |static )?(?:attribute|field|property) [a-z]+(?![\w.])/.test(heading)
}

/** True if a heading declares a type: `class flask.Blueprint(name)`, `Interface Blueprint`. */
export function declaresType(heading: string): boolean {
  return /^(?:(?:abstract|export|final|public|sealed|static) ){0,3}(?:class|enum|interface|protocol|struct|trait) [\w.:]+/i.test(
    heading,
  )
}
