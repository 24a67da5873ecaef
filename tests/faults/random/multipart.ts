import type { Dice } from './dice.ts'
import { garbageBody, garbageText } from './garbage.ts'
import type { World } from './world.ts'

type Part = { name: string; filename?: string; bytes: Buffer }

/** A form with a file: right, half right, or torn. */
export const formOf = (dice: Dice, { files }: World): { body: Buffer; type: string } => {
  const boundary = dice.pick(['boundary', '----WebKitFormBoundaryx', "a'b", 'x'.repeat(70)])
  const file: Part = {
    name: dice.chance(0.9) ? 'file' : garbageText(dice),
    filename: dice.chance(0.7) ? 'picture.png' : garbageText(dice),
    bytes: dice.pickAny(files) ?? Buffer.alloc(0),
  }
  const fields: Part[] = ['alt', 'caption', 'folder', 'decorative', 'focalX', 'version']
    .filter(() => dice.chance(0.2))
    .map((name) => ({ name, bytes: Buffer.from(dice.chance(0.7) ? '1' : garbageText(dice)) }))
  const parts = dice.chance(0.95) ? [...fields, file] : [file, ...fields, file]
  const whole = Buffer.concat([...parts.map((part) => partOf(boundary, part)), Buffer.from(`--${boundary}--\r\n`)])
  const kind = dice.int(0, 19)
  const type = `multipart/form-data; boundary=${kind === 0 ? 'other' : quoted(boundary)}`
  if (kind === 1) return { type, body: whole.subarray(0, dice.int(0, whole.length)) }
  if (kind === 2) return { type, body: garbageBody(dice) }
  if (kind === 3) return { type: 'multipart/form-data', body: whole }
  return { type, body: whole }
}

const quoted = (boundary: string): string => (/^[\w-]+$/.test(boundary) ? boundary : `"${boundary}"`)

const partOf = (boundary: string, { name, filename, bytes }: Part): Buffer => {
  const file = filename === undefined ? '' : `; filename="${filename.replace(/["\r\n]/g, '_')}"`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, '_')}"${file}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')])
}
