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

/** The parts of a mail with a picture from elsewhere, a link to write to, and two files. */
export const withFiles = (pictureUrl: string): string => {
  const part = (type: string, name: string, bytes: Buffer) =>
    `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes)}\r\n`
  const text = `<h1>Figures</h1><img src="${pictureUrl}/news.png"><p>Write to <a href="mailto:desk@letters.test">us</a></p>`
  return `--b\r\nContent-Type: text/html\r\n\r\n${text}\r\n${part('application/octet-stream', 'odd.bin', FILE)}${part('image/png', 'chart.png', PNG)}--b--\r\n`
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
