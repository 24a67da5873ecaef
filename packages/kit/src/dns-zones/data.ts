import { hostOf, type RecordData, type RecordType } from './adapter.ts'
import { absolute, quotedText, unquotedText } from './text.ts'

const NONE = { priority: null, weight: null, port: null } as const

/** A record from its data as a zone file writes it: `10 mx.example.com.`, `"text"`, `0 1 443 host.`. */
export const fromZoneData = (type: string, text: string): RecordData => {
  if (type === 'TXT') return { ...NONE, value: unquotedText(text) }
  const parts = text.trim().split(/\s+/)
  if (type === 'MX' && parts.length === 2) return { ...NONE, priority: Number(parts[0]), value: hostOf(parts[1] ?? '') }
  if (type === 'SRV' && parts.length === 4)
    return {
      priority: Number(parts[0]),
      weight: Number(parts[1]),
      port: Number(parts[2]),
      value: hostOf(parts[3] ?? ''),
    }
  return { ...NONE, value: hostOf(text) }
}

export const toZoneData = (type: RecordType, { value, priority, weight, port }: RecordData): string => {
  if (type === 'TXT') return quotedText(value)
  if (type === 'MX') return `${priority ?? 0} ${absolute(value)}`
  if (type === 'SRV') return `${priority ?? 0} ${weight ?? 0} ${port ?? 0} ${absolute(value)}`
  return absolute(value)
}

/** From providers that keep the priority apart and write the rest of an SRV record as `weight port target`. */
export const fromContent = (type: string, content: string, priority: number | null | undefined): RecordData => {
  if (type === 'TXT') return { ...NONE, value: unquotedText(content) }
  if (type === 'MX') return { ...NONE, priority: priority ?? 0, value: hostOf(content) }
  const [weight, port, target] = content.trim().split(/\s+/)
  if (type === 'SRV' && target !== undefined)
    return { priority: priority ?? 0, weight: Number(weight), port: Number(port), value: hostOf(target) }
  return { ...NONE, value: hostOf(content) }
}

export const toContent = (type: RecordType, { value, weight, port }: RecordData): string =>
  type === 'SRV' ? `${weight ?? 0} ${port ?? 0} ${value}` : value
