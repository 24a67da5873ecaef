import { LOADING, RUNNING } from '@stoa/mail/formats/html/testing/hostile.ts'

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsARPr0hO5AAAAAElFTkSuQmCC',
  'base64',
)
/** Bytes of every value, so that nothing on the way may change one. */
export const FILE = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7) % 256))

export const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}/g, '$&\r\n')

/** Ids of a conversation. */
export const TALK = Array.from({ length: 6 }, (_, index) => `<talk-${index}@outside.test>`)

/** A message of it: its header and its text. */
export const talk = (index: number): [Record<string, string>, string] => [
  {
    From: `${index % 2 ? 'Ben Builder <ben' : 'Ann Outside <ann'}@outside.test>`,
    Cc: 'Cleo <cleo@outside.test>',
    Subject: index === 0 ? 'Harbour plans' : 'Re: Harbour plans',
    'Message-ID': String(TALK[index]),
    ...(index > 0 && { 'In-Reply-To': String(TALK[index - 1]), References: TALK.slice(0, index).join(' ') }),
  },
  `Part ${index} of the talk, see https://example.org/${index} for it.\r\n\r\nYou wrote:\r\n> What was said\r\n> before\r\n`,
]

/** HTML that tries to run, and to ask something of other servers. */
export const hostileMail = (pictureUrl: string): string => {
  const bad = [...RUNNING, ...LOADING].map((text, index) =>
    text
      .replaceAll('RUN', `top.ran('${index}')`)
      .replaceAll('URLREST', `//elsewhere.invalid/${index}`)
      .replaceAll('URL', `https://elsewhere.invalid/${index}/`)
      .replaceAll('HOST', 'elsewhere.invalid'),
  )
  const plain = bad.filter((text) => !/plaintext|frameset|<!--/.test(text))
  return `<p>Look at this</p><img src="${pictureUrl}/first.png" width="40" height="40">${plain.map((text) => `<div>${text}</div>`).join('\r\n')}`
}

/** A PDF of two pages, the second as large as a page can be. It has a script and a link, which only a full viewer follows. */
const pdf = (): Buffer => {
  const drawing = 'BT /F 48 Tf 40 300 Td (Harbour plan) Tj ET 0 0 1 rg 40 40 320 200 re f'
  const page = (size: number, more = '') =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size} ${size}] /Contents 5 0 R /Resources << /Font << /F 6 0 R >> >> ${more}>>`
  const link =
    '<< /Type /Annot /Subtype /Link /Rect [0 0 400 400] /A << /S /URI /URI (https://elsewhere.invalid/pdf) >> >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    '<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>',
    page(400, `/Annots [${link}] `),
    page(14_400),
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`)
  const head = '%PDF-1.7\n'
  const offsets = objects.map((_, index) => head.length + objects.slice(0, index).join('').length)
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = head.length + objects.join('').length
  return Buffer.from(
    `${head}${objects.join('')}xref\n0 7\n0000000000 65535 f \n${table}trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
}

/** The parts of a mail with a picture from elsewhere, a link to write to, and files. */
export const withFiles = (pictureUrl: string): string => {
  const part = (type: string, name: string, bytes: Buffer) =>
    `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes)}\r\n`
  const text = `<h1>Figures</h1><img src="${pictureUrl}/news.png"><p>Write to <a href="mailto:desk@letters.test">us</a></p>`
  return `--b\r\nContent-Type: text/html\r\n\r\n${text}\r\n${part('application/octet-stream', 'odd.bin', FILE)}${part('image/png', 'chart.png', PNG)}${part('application/pdf', 'plan.pdf', pdf())}--b--\r\n`
}

/** An invitation as calendars send it. */
export const invitation = (attendee: string, method = 'REQUEST'): [Record<string, string>, string] => [
  {
    From: 'Ann Outside <ann@outside.test>',
    Subject: method === 'CANCEL' ? 'Canceled: Pier inspection' : 'Invitation: Pier inspection',
    'MIME-Version': '1.0',
    'Content-Type': 'multipart/alternative; boundary=b',
  },
  [
    '--b',
    'Content-Type: text/plain',
    '',
    'You are invited to the pier.',
    '--b',
    `Content-Type: text/calendar; charset=utf-8; method=${method}`,
    '',
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    'UID:pier@outside.test',
    `SEQUENCE:${method === 'CANCEL' ? 1 : 0}`,
    'DTSTART:20300305T090000Z',
    'DTEND:20300305T103000Z',
    'RRULE:FREQ=WEEKLY',
    'SUMMARY:Pier inspection',
    'LOCATION:Pier 4\\, by the crane',
    'ORGANIZER;CN=Ann Outside:mailto:ann@outside.test',
    'ATTENDEE;PARTSTAT=ACCEPTED:mailto:cleo@outside.test',
    `ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${attendee}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '--b--',
    '',
  ].join('\r\n'),
]
