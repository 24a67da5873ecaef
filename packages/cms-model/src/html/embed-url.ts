export type FoundEmbed = { provider: 'YouTube' | 'Vimeo'; src: string }

/** The player for the address of a video as people copy it, or null. YouTube's is the one that sets no cookies. */
export const embedFrom = (address: string): FoundEmbed | null => {
  const text = address.trim()
  if (text.length > 2000 || /\s/.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const host = url.hostname.replace(/^(?:www|m|music)\./, '')
  if (host === 'youtu.be' || host === 'youtube.com' || host === 'youtube-nocookie.com') return youtubeOf(url, host)
  return host === 'vimeo.com' || host === 'player.vimeo.com' ? vimeoOf(url) : null
}

const youtubeOf = (url: URL, host: string): FoundEmbed | null => {
  const [first = '', second = ''] = url.pathname.split('/').filter((part) => part !== '')
  const isPlayer = ['embed', 'shorts', 'live', 'v'].includes(first)
  const id = host === 'youtu.be' ? first : isPlayer ? second : (url.searchParams.get('v') ?? '')
  const list = url.searchParams.get('list') ?? ''
  const start = secondsOf(url.searchParams.get('start') ?? url.searchParams.get('t') ?? '')
  const query = new URLSearchParams()
  if (start > 0) query.set('start', String(start))
  if (/^[\w-]{10,64}$/.test(list)) query.set('list', list)
  const isList = id === '' && first === 'playlist' && query.has('list')
  if (!isList && !/^[\w-]{6,20}$/.test(id)) return null
  const rest = query.size > 0 ? `?${query}` : ''
  return { provider: 'YouTube', src: `https://www.youtube-nocookie.com/embed/${isList ? 'videoseries' : id}${rest}` }
}

const vimeoOf = (url: URL): FoundEmbed | null => {
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const at = parts.findIndex((part) => /^\d{5,15}$/.test(part))
  const id = parts[at]
  if (id === undefined) return null
  // A video that is not listed has a second part that opens it
  const key = url.searchParams.get('h') ?? parts[at + 1] ?? ''
  const query = /^[0-9a-f]{6,20}$/i.test(key) ? `?h=${key}` : ''
  return { provider: 'Vimeo', src: `https://player.vimeo.com/video/${id}${query}` }
}

/** `90`, `90s`, `1m30s`, `1h2m3s` */
const secondsOf = (text: string): number => {
  const [, plain, hours, minutes, seconds] =
    /^(?:(\d{1,6})s?|(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,5})s)?)$/.exec(text) ?? []
  if (plain !== undefined) return Number(plain)
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
}
