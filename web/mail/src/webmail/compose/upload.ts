import { RequestError } from '@stoa/ui/request/request.ts'
import { isSignedOut } from '../../api.ts'

export type UploadOptions = {
  mailboxId: string
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** Gives a file to the service, which keeps it for a day, and gives the id of its bytes. */
export const uploadFile = (file: File, { mailboxId, onProgress, signal }: UploadOptions): Promise<string> =>
  // `fetch` does not report upload progress
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total)
    }
    request.onloadend = () => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) return reject(signal.reason)
      const blobId = request.status === 201 ? memberOf(request.response, 'blobId') : null
      if (blobId !== null) resolve(blobId)
      else reject(refusalOf(request))
    }
    request.open('POST', `/jmap/upload/${encodeURIComponent(mailboxId)}`)
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.send(file)
  })

/** Whether trying again may help: not for a file that is too large. */
export const canRetry = (error: unknown): boolean =>
  error instanceof RequestError &&
  (error.status === 0 || error.status === 429 || error.status >= 500 || isSignedOut(error))

const refusalOf = ({ status, response }: XMLHttpRequest): RequestError => {
  const detail = memberOf(response, 'detail') ?? memberOf(response, 'message')
  const message = status === 0 ? 'The connection was lost.' : (detail ?? `Upload failed (${status}).`)
  return new RequestError({ message, fields: [] }, status, 'upload', { body: response })
}

const memberOf = (body: unknown, name: string): string | null => {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : null
  return typeof value === 'string' ? value : null
}
