import type { Folder } from '@stoa/mail-model/folders.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { SearchMenu } from '@stoa/ui/layer/search-menu.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, Folder as FolderIcon, Inbox, Send, ShieldAlert, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { sendMailbox } from '../api.ts'
import { folderName, folderPath } from '../places.ts'
import { foldersQuery } from '../queries.ts'
import { moveTargets } from './folder-names.ts'
import type { ActionMenuProps } from './menu-props.ts'
import { useMessageActions } from './use-message-actions.ts'

/** Chooses the folder that messages are moved to. */
export const MoveMenu = ({ target, onDone, ...menu }: ActionMenuProps) => {
  const queryClient = useQueryClient()
  const { data: folders } = useQuery(foldersQuery)
  const actions = useMessageActions()
  const names = (folders?.data ?? []).map(({ path }) => path.toLowerCase())
  const moveToNew = async (name: string) => {
    try {
      const { id } = await sendMailbox<Folder>('POST', '/api/mail/folders', { body: { name } })
      await queryClient.refetchQueries({ queryKey: foldersQuery.queryKey })
      await actions.move(target, id)
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't create the folder", description: messageOf(error) })
    }
  }
  return (
    <SearchMenu
      {...menu}
      label="Move to folder"
      placeholder="Move to…"
      items={(folders ? moveTargets(folders) : []).map(({ folder, depth }) => ({
        id: folder.id,
        label: folderPath(folder),
        below: { name: folderName(folder), depth },
        icon: roleIcons[folder.role ?? ''] ?? <FolderIcon aria-hidden />,
      }))}
      onPick={({ id }) => {
        void actions.move(target, id)
        onDone?.()
      }}
      create={(words) => {
        if (words === '' || words.includes('/') || names.includes(words.toLowerCase())) return undefined
        const onCreate = () => {
          void moveToNew(words)
          onDone?.()
        }
        return { label: `Create folder “${words}” and move`, onCreate }
      }}
    />
  )
}

const roleIcons: Record<string, ReactNode> = {
  inbox: <Inbox aria-hidden />,
  archive: <Archive aria-hidden />,
  sent: <Send aria-hidden />,
  junk: <ShieldAlert aria-hidden />,
  trash: <Trash2 aria-hidden />,
}
