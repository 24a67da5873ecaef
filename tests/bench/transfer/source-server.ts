import { smallMessage, startFakeImap } from '@stoa/mail/receiving/transfers/testing/fake-imap.ts'

/** The server that mail is copied from, in a process of its own. */
const [count = '0', bytes = '0'] = process.argv.slice(2)
const line = `${'x'.repeat(70)}\r\n`
const text = line.repeat(Math.ceil(Number(bytes) / line.length))
const source = await startFakeImap()
source.fill('INBOX', Number(count))
for (const message of source.folders[0]?.messages ?? []) message.raw = smallMessage(text)
process.on('disconnect', () => process.exit())
process.send?.({ port: source.port })
