import { isRaster, mediaPath } from '@stoa/cms-model/media.ts'
import type { Config } from './config.ts'

/** The file that a person chose as their picture. */
export type Avatar = {
  readonly id: string
  readonly hash: string
  readonly filename: string
  readonly mimeType: string
}

/** SQL: the picture of the account that has this name in the statement; null without one. */
export const avatarSql = (account: string): string =>
  `(select json_build_object('id', m.id, 'hash', m.hash, 'filename', m.filename, 'mimeType', m.mime_type)
    from media m where m.id = ${account}.avatar_id)`

/** A file that was replaced by something else than pixels is no picture any more. */
export const avatarUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, avatar: Avatar | null): string | null =>
  avatar !== null && isRaster(avatar.mimeType) ? publicUrl + mediaPath(avatar) : null
