/** Longer lines are for no host to carry (RFC 5322 §2.1.1). */
const MAX_LINE = 998

/** A part of text with its header: as it stands where it is short lines of ASCII, else UTF-8 in lines that every host takes. */
export const textPart = (text: string): Buffer => {
  const lines = text.replace(/\r\n|\r|\n/g, '\r\n').toWellFormed()
  if (/^[\t\r\n\x20-\x7e]*$/.test(lines) && lines.split('\r\n').every(({ length }) => length <= MAX_LINE))
    return part('7bit', lines.endsWith('\r\n') || lines === '' ? lines : `${lines}\r\n`)
  return part(
    'base64',
    Buffer.from(lines)
      .toString('base64')
      .replace(/.{1,76}/g, '$&\r\n'),
  )
}

const part = (encoding: string, content: string): Buffer =>
  Buffer.from(`Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}`)
