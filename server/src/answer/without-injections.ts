import { addressesModel } from './addresses-model.ts'
import type { Excerpt } from './choose-excerpts.ts'

/** Injected instructions are harmless in an extractive answer, but they answer nothing. */
export function withoutInjections(excerpts: readonly Excerpt[]): Excerpt[] {
  return excerpts
    .map(({ section, units }) => ({ section, units: units.filter(({ text }) => !addressesModel(text)) }))
    .filter(({ units }) => units.length > 0)
}
