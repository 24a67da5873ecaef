/** Addresses that a link in a mail may lead to; null for everything else. */
export const safeHref = (href: string | null | undefined): string | null => {
  const text = (href ?? '').trim()
  if (!/^(?:https?:|mailto:|tel:)/i.test(text) || text.length > 4000 || /[\p{Cc}\s]/u.test(text)) return null
  return URL.canParse(text) ? text : null
}

/** Completes a typed link address; null when it cannot be one. */
export const completeHref = (typed: string): string | null => {
  const text = typed.trim()
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/:]+:\d/.test(text)) return safeHref(text)
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return safeHref(`mailto:${text}`)
  if (/^\+\d[\d ().-]{4,}$/.test(text)) return safeHref(`tel:${text.replace(/[^\d+]/g, '')}`)
  return /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[:/?#]\S*)?$/u.test(text) ? safeHref(`https://${text}`) : null
}
