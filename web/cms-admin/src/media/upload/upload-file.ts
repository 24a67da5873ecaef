import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { readRefusal } from '../../api.ts'

export type UploadOptions = {
  /** Empty or absent: in no folder. */
  folder?: string | undefined
  alt?: string | undefined
  /** How much of the file is sent, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined
  /** An upload that is given up rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Puts a file into the library. Throws a `RequestError` with words for a person when the service refuses it. */
export const uploadFile = (file: File, { folder, alt, ...options }: UploadOptions = {}): Promise<MediaRecord> => {
  const form = new FormData()
  // The service decides by these before it takes the bytes
  if (folder) form.set('folder', folder)
  if (alt) form.set('alt', alt)
  form.set('file', file, file.name)
  return sendForm('/api/media', form, options)
}

/** Gives a file of the library other content; it keeps its id. */
export const replaceFile = (
  id: string,
  file: File,
  { version, ...options }: { version: number | 'any' } & Pick<UploadOptions, 'onProgress' | 'signal'>,
): Promise<MediaRecord> => {
  const form = new FormData()
  if (version !== 'any') form.set('version', String(version))
  form.set('file', file, file.name)
  return sendForm(`/api/media/${encodeURIComponent(id)}/replace`, form, options)
}

type SendOptions = Pick<UploadOptions, 'onProgress' | 'signal'>

// `fetch` does not report upload progress
const sendForm = (path: string, form: FormData, { onProgress, signal }: SendOptions): Promise<MediaRecord> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal?.addEventListener('abort', abort, { once: true })
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total)
    }
    request.onloadend = () => {
      signal?.removeEventListener('abort', abort)
      if (signal?.aborted) return reject(signal.reason)
      if (request.status === 200 || request.status === 201) return resolve(request.response)
      reject(refusalOf(request))
    }
    request.open('POST', path)
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.send(form)
  })

const refusalOf = ({ status, response }: XMLHttpRequest): RequestError => {
  if (status === 0)
    return new RequestError({ message: 'The connection was lost during the upload.', fields: [] }, 0, 'no_answer')
  const refusal = readRefusal(response)
  // The one input of this form is the file: what is wrong with it is the message
  const message = refusal?.fields[0]?.message ?? refusal?.message ?? `The server refused this file (${status}).`
  return new RequestError({ message, fields: [] }, status, refusal?.code ?? 'unknown', { body: response })
}
