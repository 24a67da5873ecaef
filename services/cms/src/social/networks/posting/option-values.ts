import type { Options } from '../network.ts'

/** Readers of what the author chose; an empty choice is none. */
export const textOption = (options: Options, key: string): string | null => {
  const value = options[key]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

export const booleanOption = (options: Options, key: string): boolean | null => {
  const value = options[key]
  return typeof value === 'boolean' ? value : null
}

export const numberOption = (options: Options, key: string): number | null => {
  const value = options[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export const tagsOption = (options: Options, key: string): string[] => {
  const value = options[key]
  return Array.isArray(value) ? value.filter((tag): tag is string => typeof tag === 'string' && tag.trim() !== '') : []
}

export const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}
