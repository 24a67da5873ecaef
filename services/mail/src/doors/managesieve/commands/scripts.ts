import {
  activateScript,
  type ClientScript,
  checkScript,
  checkScriptName,
  checkSpace,
  deleteScript,
  listScripts,
  putScript,
  readScript,
  refuseScript,
  updateScript,
} from '../../../receiving/filters/filters.ts'
import type { MailDb } from '../../../store/store.ts'
import { bytesOf, numberOf, textOf } from '../arguments.ts'
import { write } from '../output.ts'
import { literalText, ok, stringText } from '../replies.ts'
import { type Command, ConnectionClosed, type ManageSieveSession } from '../session.ts'

/** RFC 5804 §2.5. */
export const haveSpace: Command = {
  name: 'HAVESPACE',
  takes: ['string', 'number'],
  async run(session, [name, size]) {
    const addressId = addressOf(session)
    const wanted = { addressId, name: checkScriptName(textOf(name)), size: numberOf(size) }
    await checkSpace(session.parts.database.db, wanted)
    return ok('There is enough space.')
  },
}

/** RFC 5804 §2.6: a script is compiled before it takes the place of another one. */
export const putScriptCommand: Command = {
  name: 'PUTSCRIPT',
  takes: ['string', 'string'],
  async run(session, [name, content]) {
    const script = { name: checkScriptName(textOf(name)), source: checkScript(bytesOf(content)) }
    const { database, clock } = session.parts
    await database.tx((tx) => putScript(tx, { addressId: addressOf(session), ...script, now: clock.now() }))
    return ok('Script saved.')
  },
}

/** RFC 5804 §2.12. */
export const checkScriptCommand: Command = {
  name: 'CHECKSCRIPT',
  takes: ['string'],
  async run(_session, [content]) {
    checkScript(bytesOf(content))
    return ok('The script is valid.')
  },
}

/** RFC 5804 §2.7. */
export const listScriptsCommand: Command = {
  name: 'LISTSCRIPTS',
  takes: [],
  async run(session) {
    const scripts = await listScripts(session.parts.database.db, addressOf(session))
    const lines = scripts.map(({ name, isActive }) => `${stringText(name)}${isActive ? ' ACTIVE' : ''}\r\n`)
    if (lines.length > 0) await write(session, lines.join(''))
    return ok('Scripts listed.')
  },
}

/** RFC 5804 §2.8; the empty name makes none active. */
export const setActive: Command = {
  name: 'SETACTIVE',
  takes: ['string'],
  async run(session, [given]) {
    const addressId = addressOf(session)
    const name = textOf(given)
    await session.parts.database.tx(async (tx) => {
      const id = name === '' ? null : (await named(tx, addressId, name)).id
      await activateScript(tx, addressId, id)
    })
    return ok(name === '' ? 'Script deactivated.' : 'Script activated.')
  },
}

/** RFC 5804 §2.9. */
export const getScript: Command = {
  name: 'GETSCRIPT',
  takes: ['string'],
  async run(session, [name]) {
    const { db } = session.parts.database
    const addressId = addressOf(session)
    const { id } = await named(db, addressId, textOf(name))
    const script = (await readScript(db, addressId, id)) ?? noSuchScript()
    await write(session, `${literalText(script.source)}\r\n`)
    return ok('Script retrieved.')
  },
}

/** RFC 5804 §2.10. */
export const deleteScriptCommand: Command = {
  name: 'DELETESCRIPT',
  takes: ['string'],
  async run(session, [name]) {
    const addressId = addressOf(session)
    await session.parts.database.tx(async (tx) =>
      deleteScript(tx, addressId, (await named(tx, addressId, textOf(name))).id),
    )
    return ok('Script deleted.')
  },
}

/** RFC 5804 §2.11; an active script stays active. */
export const renameScript: Command = {
  name: 'RENAMESCRIPT',
  takes: ['string', 'string'],
  async run(session, [from, to]) {
    const addressId = addressOf(session)
    const name = checkScriptName(textOf(to))
    const { database, clock } = session.parts
    await database.tx(async (tx) => {
      const { id } = await named(tx, addressId, textOf(from))
      await updateScript(tx, { addressId, id, name, now: clock.now() })
    })
    return ok('Script renamed.')
  },
}

const addressOf = ({ signIn }: ManageSieveSession): string => {
  if (!signIn) throw new ConnectionClosed('nobody has signed in')
  return signIn.address.id
}

const named = async (db: MailDb, addressId: string, given: string): Promise<ClientScript> => {
  const name = given.normalize('NFC')
  return (await listScripts(db, addressId)).find((script) => script.name === name) ?? noSuchScript()
}

const noSuchScript = (): never => refuseScript('no_such_script', 'This script does not exist.')
