import { captionUrls } from './caption-urls.ts'

/** How networks count the length of a caption. */
export const captionCounts = ['utf16', 'utf8-bytes', 'x', 'threads', 'mastodon'] as const
export type CaptionCount = (typeof captionCounts)[number]

/** How long a caption is for a network. `urlLength` is for servers that say what an address counts. */
export const countCaption = (count: CaptionCount, text: string, options: { urlLength?: number } = {}): number =>
  COUNTERS[count](text, options.urlLength ?? URL_LENGTH)

const URL_LENGTH = 23
const encoder = new TextEncoder()
const byteLength = (text: string): number => encoder.encode(text).length

/**
 * X, by its published config v3: an address counts 23, an emoji 2, and so does what is not of the first ranges. Not
 * by `twitter-text`, which is no longer kept up, brings core-js 2, which changes built-ins, and takes seconds for some
 * long texts.
 */
const countX = (text: string, urlLength: number): number => {
  const normal = text.normalize('NFC')
  let length = 0
  let at = 0
  for (const url of captionUrls(normal)) {
    length += weightOf(normal, at, url.start) + urlLength
    at = url.end
  }
  return length + weightOf(normal, at, normal.length)
}

const weightOf = (text: string, from: number, to: number): number => {
  let weight = 0
  for (let at = from; at < to; ) {
    const emoji = emojiAt(text, at, to)
    weight += emoji > 0 || !isLight(text.charCodeAt(at)) ? 2 : 1
    at += emoji || pointSize(text, at, to)
  }
  return weight
}

const isLight = (unit: number): boolean =>
  unit <= 4_351 ||
  (unit >= 8_192 && unit <= 8_205) ||
  (unit >= 8_208 && unit <= 8_223) ||
  (unit >= 8_242 && unit <= 8_247)

/** How many units the character has that begins here. */
const pointSize = (text: string, at: number, to: number): number =>
  isHigh(text.charCodeAt(at)) && at + 1 < to && isLow(text.charCodeAt(at + 1)) ? 2 : 1

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** UTS #51 sequences: flags, keycaps, and pictures with skin tones, tags and joined parts. */
const EMOJI =
  /\p{RI}\p{RI}|[#*0-9]\uFE0F?\u20E3|(?![©®](?!\uFE0F))[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?\p{Emoji_Modifier}?(?:[\u{E0020}-\u{E007E}]+\u{E007F})?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*/uy

/** How long the emoji is that begins here; 0 where none does. */
const emojiAt = (text: string, at: number, to: number): number => {
  if (!canBeginEmoji(text, at)) return 0
  EMOJI.lastIndex = at
  if (!EMOJI.test(text)) return 0
  return Math.min(EMOJI.lastIndex, to) - at
}

/** Cheaper than the pattern, which most characters never see. */
const canBeginEmoji = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  if (unit < 0xa9) {
    const isKey = unit === 0x23 || unit === 0x2a || (unit >= 0x30 && unit <= 0x39)
    const next = isKey ? text.charCodeAt(at + 1) : 0
    return next === 0xfe0f || next === 0x20e3
  }
  if (unit < 0x203c) return unit === 0xa9 || unit === 0xae
  if (unit < 0x2c00) return true
  if (unit >= 0xd83c && unit <= 0xd83f) return true
  return unit === 0x3030 || unit === 0x303d || unit === 0x3297 || unit === 0x3299
}

/** Whether it is shown as a picture: `™` alone is a letter. */
const isShownAsEmoji = (sequence: string): boolean =>
  /\p{Emoji_Presentation}|\p{RI}|[\uFE0F\u20E3\u200D]/u.test(sequence)

const countThreads = (text: string): number => {
  let length = 0
  for (let at = 0; at < text.length; ) {
    const size = emojiAt(text, at, text.length)
    const emoji = size > 0 ? text.slice(at, at + size) : ''
    if (emoji === '') length += 1
    else length += isShownAsEmoji(emoji) ? byteLength(emoji) : countCodePoints(emoji)
    at += size || pointSize(text, at, text.length)
  }
  return length
}

const countCodePoints = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const countMastodon = (text: string, urlLength: number): number => {
  let length = 0
  let at = 0
  for (const url of captionUrls(text)) {
    if (!url.hasProtocol) continue
    length += countWithMentions(text.slice(at, url.start)) + urlLength
    at = url.end
  }
  return length + countWithMentions(text.slice(at))
}

/** `@name@server` counts as `@name`. */
const countWithMentions = (text: string): number =>
  countGraphemes(text.replace(/(^|[^/\w])@([a-z0-9_]+)@[a-z0-9.-]*[a-z0-9]/gi, '$1@$2'))

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Letters that are a grapheme by themselves, and join only with what is none of them (UAX #29, rule GB999): ASCII,
 * Latin, Greek, Cyrillic, and the usual characters of Chinese and Japanese.
 */
const SINGLE =
  '\\n\\x20-\\x7E\\xA1-\\xA8\\xAA-\\xAC\\xAF-\\u02FF\\u0391-\\u0482\\u2010-\\u2027\\u3041-\\u3096\\u30A1-\\u30FA\\u4E00-\\u9FFF'

/** Everything else, with the single letters that it may join. */
const JOINED = new RegExp(`(?:[${SINGLE}]?(?:\\r\\n|[^${SINGLE}]))+[${SINGLE}]?`, 'g')

const countGraphemes = (text: string): number => {
  let length = text.length
  for (const [run] of text.matchAll(JOINED)) length += countSegments(run) - run.length
  return length
}

const countSegments = (text: string): number => {
  let length = 0
  for (const _ of segmenter.segment(text)) length += 1
  return length
}

const COUNTERS: Readonly<Record<CaptionCount, (text: string, urlLength: number) => number>> = {
  utf16: (text) => text.length,
  'utf8-bytes': byteLength,
  x: countX,
  threads: countThreads,
  mastodon: countMastodon,
}
