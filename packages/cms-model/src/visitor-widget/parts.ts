import type { WidgetParts } from './types.ts'

export const make: WidgetParts['make'] = (tag, attributes, ...children) => {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}

export const drawIcon: WidgetParts['drawIcon'] = (path) => {
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  line.setAttribute('d', path)
  icon.append(line)
  return icon
}

export const readableOn: WidgetParts['readableOn'] = (accent) => {
  const digits = accent.slice(1)
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => {
    const channel = Number.parseInt(pair, 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000'
}

export const linkTo: WidgetParts['linkTo'] = (url, base) => {
  if (url === null || !URL.canParse(url, base)) return null
  const { protocol, href } = new URL(url, base)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

export const pickLanguage: WidgetParts['pickLanguage'] = (wanted, known) => {
  const languages = wanted.map((tag) => (tag ?? '').toLowerCase().split(/[-_]/)[0] ?? '')
  // The page says its language: a language that is not known must not be passed over for one that it is not in.
  const said = languages.find((language) => language !== '')
  return said !== undefined && known.includes(said) ? said : 'en'
}

export const askQuestion: WidgetParts['askQuestion'] = async (endpoint, body) => {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      signal: AbortSignal.timeout(90_000),
    })
    if (response.status === 429) return { failed: 'busy' }
    const answer = response.ok ? await response.json() : null
    return typeof answer?.answer === 'string' && Array.isArray(answer.sources) ? { answer } : { failed: 'failed' }
  } catch {
    return { failed: 'failed' }
  }
}
