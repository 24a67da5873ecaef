import type { ImapCommand } from '../command.ts'
import { append } from './append.ts'
import { authenticate } from './authenticate.ts'
import { cancelupdate } from './cancelupdate.ts'
import { capability } from './capability.ts'
import { check } from './check.ts'
import { close } from './close.ts'
import { compress } from './compress.ts'
import { copy } from './copy.ts'
import { create } from './create.ts'
import { deleteMailbox } from './delete.ts'
import { enable } from './enable.ts'
import { examine } from './examine.ts'
import { expunge } from './expunge.ts'
import { fetch } from './fetch.ts'
import { getjmapaccess } from './getjmapaccess.ts'
import { getmetadata } from './getmetadata.ts'
import { getquota } from './getquota.ts'
import { getquotaroot } from './getquotaroot.ts'
import { id } from './id.ts'
import { idle } from './idle.ts'
import { list } from './list.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { lsub } from './lsub.ts'
import { move } from './move.ts'
import { namespace } from './namespace.ts'
import { noop } from './noop.ts'
import { notify } from './notify.ts'
import { rename } from './rename.ts'
import { replace } from './replace.ts'
import { search } from './search.ts'
import { select } from './select.ts'
import { setmetadata } from './setmetadata.ts'
import { setquota } from './setquota.ts'
import { sort } from './sort.ts'
import { starttls } from './starttls.ts'
import { status } from './status.ts'
import { store } from './store.ts'
import { subscribe } from './subscribe.ts'
import { thread } from './thread.ts'
import { unauthenticate } from './unauthenticate.ts'
import { unselect } from './unselect.ts'
import { unsubscribe } from './unsubscribe.ts'

const ALL: readonly ImapCommand[] = [
  append,
  authenticate,
  cancelupdate,
  capability,
  check,
  close,
  compress,
  copy,
  create,
  deleteMailbox,
  enable,
  examine,
  expunge,
  fetch,
  getjmapaccess,
  getmetadata,
  getquota,
  getquotaroot,
  id,
  idle,
  list,
  login,
  logout,
  lsub,
  move,
  namespace,
  noop,
  notify,
  rename,
  replace,
  search,
  select,
  setmetadata,
  setquota,
  sort,
  starttls,
  status,
  store,
  subscribe,
  thread,
  unauthenticate,
  unselect,
  unsubscribe,
]

/** Every command by its name. */
export const COMMANDS: ReadonlyMap<string, ImapCommand> = new Map(ALL.map((command) => [command.name, command]))
