import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { type Fault, fault } from '../errors.ts'
import { discardBody } from './discard-body.ts'
import { TIMEOUTS } from './timeouts.ts'

/** A file on its way in. */
export type IncomingFile = { field: string; filename: string; stream: Readable }

export type FormLimits = {
  /** The limit of the one file, which `take` must enforce; the form may be larger by what its fields allow. */
  fileBytes: number
  fields: number
  fieldBytes: number
  /** Until a form of up to 1 MiB is complete; larger ones get more. */
  deadlineMs?: number
}

export type Form<F> = {
  /** Text members, each once. */
  fields: ReadonlyMap<string, string>
  /** What `take` made of the file; null when there was none. */
  file: { field: string; filename: string; taken: F } | null
}

/** Boundaries, headers of parts, and a preamble. */
const ENVELOPE_BYTES = 64 * 1024
const MAX_HEADER_PAIRS = 20
const MAX_HEADER_BYTES = 8 * 1024
/** The slowest uplink that may send a large form to its end. */
const LEAST_BYTES_PER_MS = 256
const MIB = 1024 * 1024
/** The parser has all bytes by then; what it waits for will not come. */
const SETTLE_MS = 2_000

/**
 * Reads a `multipart/form-data` body with one file at most, which `take` receives as a stream while it arrives. When it
 * rejects, `take` has ended too, and the rest of the body is thrown away behind the answer.
 */
export const readForm = async <F>(
  request: IncomingMessage,
  limits: FormLimits,
  take: (file: IncomingFile) => Promise<F>,
): Promise<Form<F>> => {
  const totalBytes = limits.fileBytes + limits.fields * limits.fieldBytes + ENVELOPE_BYTES
  let file: { incoming: IncomingFile; taken: Promise<F> } | undefined
  try {
    const parser = openParser(request, limits)
    if (Number(request.headers['content-length'] ?? 0) > totalBytes) throw tooLarge(limits)
    const takeOnce = (incoming: IncomingFile): Promise<F> => {
      const taken = take(incoming)
      file = { incoming, taken }
      return taken
    }
    const fields = await receive({ request, parser, limits, totalBytes, take: takeOnce })
    if (!file) return { fields, file: null }
    const { field, filename } = file.incoming
    return { fields, file: { field, filename, taken: await file.taken } }
  } catch (error) {
    file?.incoming.stream.destroy(error instanceof Error ? error : new Error(String(error)))
    // The first error is the one to report, whatever follows.
    await file?.taken.catch(() => undefined)
    discardBody(request, totalBytes)
    throw error
  }
}

type Reception = {
  request: IncomingMessage
  parser: BusboyInstance
  limits: FormLimits
  totalBytes: number
  take(file: IncomingFile): Promise<unknown>
}

const receive = ({ request, parser, limits, totalBytes, take }: Reception): Promise<Map<string, string>> =>
  new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    let received = 0
    let isSettled = false
    let deadline: NodeJS.Timeout | undefined
    const settle = (act: () => void) => {
      isSettled = true
      clearTimeout(deadline)
      request.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak).unpipe(parser)
      act()
    }
    const refuse = (error: Error) => settle(() => reject(error))
    const onData = (chunk: Buffer) => {
      received += chunk.length
      if (received > totalBytes) refuse(tooLarge(limits))
    }
    const endBy = (ms: number, reason: string) => {
      clearTimeout(deadline)
      // A listener that was removed while its event is emitted is still called.
      if (!isSettled) deadline = setTimeout(() => refuse(unreadable(reason)), ms)
    }
    const onEnd = () => endBy(SETTLE_MS, 'The form is incomplete')
    const onBreak = (error?: Error) => {
      if (!request.complete && !request.readableEnded) refuse(unreadable('The request body is incomplete', error))
    }
    parser
      .on('file', (field: string | undefined, stream: Readable, filename: string | undefined) => {
        // An error that nobody waits for any more must not end the process.
        stream.on('error', () => undefined)
        take({ field: field ?? '', filename: filename ?? '', stream }).catch(refuse)
      })
      .on('field', (name: string | undefined, value: string, _cutName: boolean, isCut: boolean) => {
        if (isCut) return refuse(wrongMember(name ?? '', `must have at most ${limits.fieldBytes} bytes`))
        if (fields.has(name ?? '')) return refuse(wrongMember(name ?? '', 'must be sent only once'))
        fields.set(name ?? '', value)
      })
      .on('filesLimit', () => refuse(wrongMember('file', 'must be one file')))
      .on('fieldsLimit', () => refuse(unreadable(`The form has more than ${limits.fields} fields`)))
      .on('partsLimit', () => refuse(unreadable('The form has too many parts')))
      .on('error', (error: unknown) => refuse(unreadable("The form can't be read", error)))
      .on('finish', () => settle(() => resolve(fields)))
    // The sender may have disconnected before the listeners were attached.
    if (request.destroyed) return refuse(unreadable('The request body is incomplete'))
    request.pipe(parser)
    request.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak)
    endBy(
      (limits.deadlineMs ?? TIMEOUTS.body) + Math.max(0, totalBytes - MIB) / LEAST_BYTES_PER_MS,
      'The request body took too long',
    )
  })

const openParser = (request: IncomingMessage, { fields, fieldBytes }: FormLimits): BusboyInstance => {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw fault('unsupported_media', { contentType })
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: {
        fieldSize: fieldBytes,
        fields,
        files: 1,
        parts: fields + 2,
        headerPairs: MAX_HEADER_PAIRS,
        headerSize: MAX_HEADER_BYTES,
      },
    })
  } catch (error) {
    throw fault('unsupported_media', { contentType }, error)
  }
}

const tooLarge = ({ fileBytes }: FormLimits): Fault => fault('too_large', { limit: fileBytes })
const unreadable = (reason: string, cause?: unknown): Fault => fault('invalid_json', { reason }, cause)
const wrongMember = (path: string, message: string): Fault =>
  fault('invalid_input', { issues: [{ where: 'body', path: path.slice(0, 100), reason: 'invalid', message }] })
