import { Input } from '@stoa/ui/form/input.tsx'
import { type ComponentProps, useId } from 'react'
import { folderRows } from './folders.ts'
import type { MediaFolder } from './queries.ts'

type FolderInputProps = ComponentProps<typeof Input> & { folders: readonly MediaFolder[] }

/** The path of a folder, with those that are there offered. */
export const FolderInput = ({ folders, ...rest }: FolderInputProps) => {
  const id = useId()
  return (
    <>
      <Input {...rest} list={id} autoComplete="off" placeholder="No folder" />
      <datalist id={id}>
        {folderRows(folders).map(({ path }) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  )
}
