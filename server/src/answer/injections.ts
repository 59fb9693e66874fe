import { outsideCode, removeSpans, replaceLinks } from '#lib/text/replace-links.ts'

/** Removes images and HTML from the text of a model, and links to URLs that are not in the passages. */
export function sanitizeOutput(text: string, allowed: string): string {
  return outsideCode(text, (prose) => sanitizeProse(prose, allowed))
}

function sanitizeProse(text: string, allowed: string): string {
  const withoutPictures = replaceLinks(text, ({ label, isPicture }) => (isPicture ? label : null))
  const linked = replaceLinks(withoutPictures, ({ label, target, isPicture }) => {
    const url = /^\S+/.exec(target)?.[0]
    if (label === '' || url === undefined) return null
    return (isPicture ? '!' : '') + (allowed.includes(url) ? `[${label}](${target})` : label)
  }).replaceAll(/<(https?:[^<>\s]+)>/gi, '$1')
  return removeSpans(linked, { opening: /<\/?[a-z!]/gi, closing: '>', stop: '\n' }).replaceAll(/(\S) {2,}/g, '$1 ')
}

/** Phrases that address the reading model. Kept narrow: instructions to people must pass ("ignore warnings"). */
const PHRASES: readonly RegExp[] = [
  /^\W{0,6}(?:\d{1,3}[.)]\s{1,3})?\W{0,3}(?:SYSTEM|ASSISTANT|DEVELOPER)(?: (?:PROMPT|MESSAGE|OVERRIDE|NOTE|INSTRUCTIONS?))?:/,
  /\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|former|initial|original|your|system|all other)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|directions?|directives?|commands?|rules|guidelines|guardrails|context|constraints)\b/i,
  /\b(?:ignore|disregard|forget)\b[^.!?\n]{0,20}\b(?:everything|anything|all)\b[^.!?\n]{0,30}\b(?:above|before|previously|told|said|asked)\b/i,
  /\b(?:new|updated|hidden|secret|real|additional)\s+(?:system\s+)?(?:instructions?|prompts?|task)\b[^.!?\n]{0,40}[:–—]/i,
  /\b(?:reveal|print|repeat|output|show|leak|disclose|display)\b[^.!?\n]{0,40}\b(?:your|the|initial|hidden)\s+(?:[a-z]+\s+)?(?:system prompt|initial prompt|hidden prompt|prompt verbatim|initial instructions|system instructions)/i,
  /\b(?:do not|don't|never|without)\b[^.!?\n]{0,12}\b(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|warn|warning|alert)\b[^.!?\n]{0,20}\bthe (?:user|human|reader|developer|operator)\b/i,
  /\b(?:tell|convince|persuade)\s+the\s+(?:user|human|reader)\b/i,
  /\byou\s+(?:are|must|should|will|shall)\s+(?:now\s+)?(?:act|acting|behave|pretend|respond|reply|answer|output|role-?play)\b[^.!?\n]{0,20}\b(?:as|only|with|like|exactly)\b/i,
  /\b(?:you are now|from now on,? you(?: are|'re)?|pretend (?:to be|you are)|act as (?:if you (?:are|were)|an?) )\b[^.!?\n]{0,40}\b(?:ai|assistant|model|gpt|dan|bot|unrestricted|jailbroken|uncensored|developer mode|llm)\b/i,
  /\b(?:dear|attention|hey|note to|message (?:to|for)|instructions? (?:to|for)|important for)\s+(?:all\s+)?(?:the\s+|any\s+)?(?:ai|llms?|language models?|assistants?|chatbots?|agents?|gpt|claude|chatgpt)\b/i,
  /\bas an? (?:ai|language model|llm|assistant)\b[^.!?\n]{0,40}\b(?:you|your)\b/i,
  /\[\/?INST\]|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>/i,
  /\b(?:add|append|include|integrate|insert|incorporate|embed|weave|modify|alter|adjust|introduce|provide|substitute|replace|rearrange|scramble|use|write|end|begin|start|finish|conclude)\b[^.!?\n]{0,120}\byour (?:answer|reply|responses?|output)\b/i,
  /\b(?:respond|reply|answer)\s+(?:(?:only|solely|exactly)\s*)?(?:with|by saying|in)\b[^.!?\n]{0,30}\b(?:nothing else|no matter|regardless|instead of|to (?:every|all|any) (?:question|request)s?)\b/i,
]

/** True if a text addresses the model that reads it, as injected instructions do. */
export function isInjection(text: string): boolean {
  return PHRASES.some((phrase) => phrase.test(text))
}
