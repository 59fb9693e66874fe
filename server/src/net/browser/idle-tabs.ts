import type { Tab } from './open-tab.ts'

/** Idle tabs for the next page of their site. A new tab costs six times as much CPU as a page. */
export type IdleTabs = {
  take(origin: string): Tab | null
  give(origin: string, tab: Tab): void
}

/** Pages per tab, before its memory grows. */
const PAGES_PER_TAB = 25

/** Keeps at most `most` tabs, each for one origin. The longest idle tab is closed first. */
export function createIdleTabs(most: number): IdleTabs {
  const waiting: { origin: string; tab: Tab }[] = []
  return {
    take(origin) {
      const at = waiting.findIndex((one) => one.origin === origin)
      return waiting.splice(at, at < 0 ? 0 : 1)[0]?.tab ?? null
    },
    give(origin, tab) {
      if (tab.pages < PAGES_PER_TAB) waiting.push({ origin, tab })
      const unwanted = tab.pages < PAGES_PER_TAB ? (waiting.length > most ? waiting.shift()?.tab : undefined) : tab
      if (unwanted) void unwanted[Symbol.asyncDispose]()
    },
  }
}
