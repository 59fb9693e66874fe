import type { Anchor } from './place-anchors.ts'

/**
 * Offsets of anchors after markup was removed from a text. `after` must be a subsequence of `before`; otherwise the
 * anchors are returned as they are. Matches greedily, so an offset just after a removed part can be a few characters late.
 */
export function shiftAnchors(anchors: readonly Anchor[], before: string, after: string): readonly Anchor[] {
  if (before.length === after.length) return anchors
  const shifted: Anchor[] = []
  let kept = 0
  let at = 0
  for (const { offset, anchor } of anchors) {
    for (; at < offset && at < before.length; at++) if (before.charCodeAt(at) === after.charCodeAt(kept)) kept++
    shifted.push({ offset: kept, anchor })
  }
  for (; at < before.length; at++) if (before.charCodeAt(at) === after.charCodeAt(kept)) kept++
  return kept === after.length ? shifted : anchors
}
