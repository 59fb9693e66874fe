type Name = 'hand' | 'ok' | 'busy' | 'wait' | 'warn' | 'bad' | 'lock'

/** The shapes of all icons, once per page. */
export function IconShapes() {
  return (
    <svg class="shapes" width="0" height="0" aria-hidden="true">
      <defs>
        <symbol id="i-hand" viewBox="0 0 26 22">
          <rect x="8" y="5" width="18" height="4.6" rx="2.3" />
          <rect x="8" y="10.1" width="9.6" height="3.3" rx="1.65" />
          <rect x="8" y="13.9" width="8.6" height="3.2" rx="1.6" />
          <rect x="8" y="17.6" width="6.8" height="2.9" rx="1.45" />
          <path d="M1 6.6C3.6 6.2 5 4.6 6.6 2.6 7.6 1.4 9.6 1 10.4 2c.7.9-.2 2-.9 3H11v15.5H6.4C4.4 20.5 3.2 19.3 1 19.2Z" />
        </symbol>
        <symbol id="i-ok" viewBox="0 0 14 14">
          <circle cx="7" cy="7" r="6.2" fill="currentColor" />
          <path d="M4 7.2 6.2 9.4 10.2 4.9" fill="none" stroke="var(--surface)" stroke-width="1.7" />
        </symbol>
        <symbol id="i-busy" viewBox="0 0 14 14">
          <circle cx="7" cy="7" r="5.6" fill="none" stroke="currentColor" stroke-width="1.6" />
          <path d="M7 1.4A5.6 5.6 0 0 1 7 12.6Z" fill="currentColor" />
        </symbol>
        <symbol id="i-wait" viewBox="0 0 14 14">
          <circle cx="7" cy="7" r="5.6" fill="none" stroke="currentColor" stroke-width="1.6" stroke-dasharray="2.3 2" />
        </symbol>
        <symbol id="i-warn" viewBox="0 0 14 14">
          <path d="M7 1 13.4 12.7H.6Z" fill="currentColor" />
          <path d="M7 5v3.8M7 10.2v1.3" stroke="var(--surface)" stroke-width="1.5" />
        </symbol>
        <symbol id="i-bad" viewBox="0 0 14 14">
          <rect x="1" y="1" width="12" height="12" rx="2" fill="currentColor" />
          <path d="m4.3 4.3 5.4 5.4m0-5.4-5.4 5.4" stroke="var(--surface)" stroke-width="1.6" />
        </symbol>
        <symbol id="i-lock" viewBox="0 0 14 14">
          <rect x="2" y="6" width="10" height="7" rx="1.5" fill="currentColor" />
          <path d="M4.2 6V4.2a2.8 2.8 0 0 1 5.6 0V6" fill="none" stroke="currentColor" stroke-width="1.6" />
        </symbol>
      </defs>
    </svg>
  )
}

export function Icon({ name, label, class: className }: { name: Name; label?: string; class?: string }) {
  const about = label ? { role: 'img' as const, 'aria-label': label } : { 'aria-hidden': true as const }
  return (
    <svg class={className} {...about}>
      <use href={`#i-${name}`} />
    </svg>
  )
}
