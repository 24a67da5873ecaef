import { useQuery } from '@tanstack/react-query'
import { uploadLimitQuery } from '../queries.ts'
import { problemOfFile } from './file-check.ts'
import { uploads } from './uploads.ts'

type UploadInto = { folder?: string; accept?: readonly string[] | undefined }

/** Puts files into the queue after the checks that need no service, and names them as one batch. */
export const useUpload = (): ((files: readonly File[], into?: UploadInto) => number) => {
  const { data: maxBytes } = useQuery(uploadLimitQuery)
  return (files, { folder = '', accept } = {}) =>
    uploads.add(
      files.map((file) => ({ file, problem: problemOfFile(file, { maxBytes, accept }) })),
      { folder },
    )
}
