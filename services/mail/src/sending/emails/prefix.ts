import type { Config } from '../../config.ts'
import { formatMailDate } from '../../formats/mime/mime.ts'

/** The fields that stand before a message, with the time at which it leaves. */
export const messagePrefix = (
  { hostname }: Pick<Config, 'hostname'>,
  { id, acceptedAt, sendAt }: { id: string; acceptedAt: Date; sendAt: Date },
): Buffer =>
  Buffer.from(
    `Received: by ${hostname} with HTTP id ${id};\r\n\t${formatMailDate(acceptedAt)}\r\nDate: ${formatMailDate(sendAt)}\r\n`,
  )
