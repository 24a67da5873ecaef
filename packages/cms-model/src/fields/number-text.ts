/** Longer texts are no numbers that anybody typed. */
const MAX_TYPED_LENGTH = 400

/** The number that was typed, null for nothing, and the text itself when it is no number: it must not be lost. */
export const readNumber = (typed: string): number | null | string => {
  const text = typed.trim().replace(/^[−–]/, '-')
  if (text === '') return null
  if (text.length > MAX_TYPED_LENGTH) return typed
  const plain = withDecimalPoint(text)
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i.test(plain)) return typed
  const number = Number(plain)
  return Number.isFinite(number) ? number : typed
}

/** 1,5 is one and a half; 1,500 may be either, and is left for the person to decide. */
const withDecimalPoint = (text: string): string => {
  const parts = /^([+-]?)(\d*),(\d+)$/.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = ''] = parts
  const isGrouped = fraction.length === 3 && whole !== '' && !/^0+$/.test(whole)
  return isGrouped ? text : `${sign}${whole === '' ? '0' : whole}.${fraction}`
}
