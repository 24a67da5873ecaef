import { afterSignIn, defineCommand, ok } from '../command.ts'
import { nstring } from '../format.ts'

/** RFC 9698: where the same mailbox is to be had by JMAP. */
export const getjmapaccess = defineCommand({
  name: 'GETJMAPACCESS',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('JMAPACCESS'),
  parse: () => null,
  async run(session) {
    const url = new URL('/.well-known/jmap', session.parts.config.publicUrl)
    await session.out.untagged(`JMAPACCESS ${nstring(session, url.href)}`)
    return ok('JMAP access completed')
  },
})
