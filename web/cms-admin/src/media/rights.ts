import type { Me } from '@stoa/cms-model/accounts.ts'
import { scopeOf } from '@stoa/cms-model/permissions.ts'
import type { MediaRecord } from './queries.ts'

type Person = Pick<Me, 'id' | 'role'>

/** Uploads and changes files, at least own ones. */
export const mayUpload = ({ role }: Pick<Me, 'role'>): boolean => scopeOf(role, 'media.manage') !== null

/** May change every file, also those of others. */
export const mayChangeAll = ({ role }: Pick<Me, 'role'>): boolean => scopeOf(role, 'media.manage') === 'any'

/** Changes this file. The service decides by itself in any case. */
export const mayChange = (me: Person, { createdBy }: Pick<MediaRecord, 'createdBy'>): boolean =>
  mayChangeAll(me) || (mayUpload(me) && createdBy?.id === me.id)
