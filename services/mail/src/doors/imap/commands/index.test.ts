import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { MAILBOX_PASSWORD } from '../../../hosting/addresses/testing/hosting.ts'
import { type ImapGround, startImapGround } from '../testing/ground.ts'
import { COMMANDS } from './index.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

describe('the commands', () => {
  test('have a file and a line in the registry each, of the same name', () => {
    const files = readdirSync(import.meta.dirname).filter((name) => !name.startsWith('index.'))
    assert.deepEqual(files.sort(), [...COMMANDS.keys()].map((name) => `${name.toLowerCase()}.ts`).sort())
  })

  test('bring their capabilities: few before sign-in, all after it', async () => {
    const anna = await ground.address()
    const client = await ground.connect()
    const listed = async (): Promise<string[]> => {
      const lines = await client.ok('capability')
      return (lines[0] ?? '').replace('* CAPABILITY ', '').split(' ').sort()
    }
    const always = ['IMAP4rev2', 'IMAP4rev1', 'SASL-IR', 'ID', 'ENABLE']
    assert.deepEqual(await listed(), [...always, 'LITERAL-', 'AUTH=PLAIN', 'AUTH=LOGIN', 'AUTH=OAUTHBEARER'].sort())
    await client.ok(`login ${anna.email} "${MAILBOX_PASSWORD}"`)
    const signedIn = [
      ...always,
      ...'LITERAL+ IDLE NAMESPACE UNSELECT UIDPLUS MOVE CHILDREN SPECIAL-USE CREATE-SPECIAL-USE LIST-EXTENDED'.split(
        ' ',
      ),
      ...'LIST-STATUS STATUS=SIZE CONDSTORE QRESYNC ESEARCH SEARCHRES CONTEXT=SEARCH PARTIAL SORT SORT=DISPLAY'.split(
        ' ',
      ),
      ...'ESORT THREAD=REFERENCES THREAD=ORDEREDSUBJECT WITHIN BINARY CATENATE MULTIAPPEND OBJECTID PREVIEW'.split(' '),
      ...'SAVEDATE REPLACE NOTIFY QUOTA QUOTA=RES-STORAGE UTF8=ACCEPT METADATA UNAUTHENTICATE JMAPACCESS'.split(' '),
      'COMPRESS=DEFLATE',
    ]
    const found = await listed()
    assert.deepEqual(
      found.filter((name) => !name.startsWith('APPENDLIMIT=')),
      signedIn.sort(),
    )
    assert.equal(found.length, signedIn.length + 1)
  })
})
