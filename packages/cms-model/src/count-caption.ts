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
    length += weightOf(normal.slice(at, url.start)) + urlLength
    at = url.end
  }
  return length + weightOf(normal.slice(at))
}

const weightOf = (text: string): number => {
  let weight = 0
  let at = 0
  for (const emoji of text.matchAll(EMOJI)) {
    weight += plainWeight(text.slice(at, emoji.index)) + 2
    at = emoji.index + emoji[0].length
  }
  return weight + plainWeight(text.slice(at))
}

const plainWeight = (text: string): number => {
  let weight = 0
  for (const char of text) weight += isLight(char.codePointAt(0) ?? 0) ? 1 : 2
  return weight
}

const isLight = (point: number): boolean =>
  point <= 4_351 ||
  (point >= 8_192 && point <= 8_205) ||
  (point >= 8_208 && point <= 8_223) ||
  (point >= 8_242 && point <= 8_247)

/** UTS #51 sequences: flags, keycaps, and pictures with skin tones, tags and joined parts. */
const EMOJI =
  /\p{RI}\p{RI}|[#*0-9]\uFE0F?\u20E3|(?![©®](?!\uFE0F))[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?\p{Emoji_Modifier}?(?:[\u{E0020}-\u{E007E}]+\u{E007F})?(?:\u200D\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)*/gu

/** Whether it is shown as a picture: `™` alone is a letter. */
const isShownAsEmoji = (sequence: string): boolean =>
  /\p{Emoji_Presentation}|\p{RI}|[\uFE0F\u20E3\u200D]/u.test(sequence)

const countThreads = (text: string): number => {
  let length = countCodePoints(text)
  for (const [emoji] of text.matchAll(EMOJI))
    if (isShownAsEmoji(emoji)) length += byteLength(emoji) - countCodePoints(emoji)
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

/** Of `@name@server` only `@name` counts. */
const countWithMentions = (text: string): number =>
  countGraphemes(text.replace(/(^|[^/\w])@([a-z0-9_]+)@[a-z0-9.-]*[a-z0-9]/gi, '$1@$2'))

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

const countGraphemes = (text: string): number => {
  if (/^[\x20-\x7E\n]*$/.test(text)) return text.length
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
