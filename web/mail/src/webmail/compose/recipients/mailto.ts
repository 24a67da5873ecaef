import { addRecipients, parseRecipients, type Recipient } from './recipients.ts'

export type Mailto = { to: Recipient[]; cc: Recipient[]; bcc: Recipient[]; subject: string; text: string }

/** Parses a `mailto:` address (RFC 6068); null for another address. Header fields beyond these are ignored. */
export const parseMailto = (address: string): Mailto | null => {
  const match = /^mailto:([^?#]*)(?:\?([^#]*))?/i.exec(address.trim())
  if (!match) return null
  const [, path = '', query = ''] = match
  const result: Mailto = { to: recipientsOf(path), cc: [], bcc: [], subject: '', text: '' }
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=')
    const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    take(result, decode(name).toLowerCase(), value)
  }
  return result
}

const take = (result: Mailto, name: string, value: string): void => {
  if (name === 'to' || name === 'cc' || name === 'bcc') result[name] = addRecipients(result[name], recipientsOf(value))
  if (name === 'subject') result.subject = decode(value).replace(/\s+/g, ' ').trim()
  if (name === 'body') result.text = decode(value).replace(/\r\n?/g, '\n')
}

/** Addresses are separated by commas before they are decoded. */
const recipientsOf = (list: string): Recipient[] => list.split(',').flatMap((one) => parseRecipients(decode(one)))

/** A `+` is a plus here; a broken percent sign stands for itself. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
