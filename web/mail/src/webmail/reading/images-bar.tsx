import { Button } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ImageOff } from 'lucide-react'
import { mailSettingsQuery } from '../queries.ts'
import { changeSettings } from '../settings/queries.ts'
import { domainOf, withImageSender } from './remote-images.ts'

type ImagesBarProps = {
  email: string | null
  /** Junk, or a sender that is not whom it says: nobody is trusted for good by it. */
  isRisky: boolean
  onShow: () => void
}

/** Says that pictures of other servers were left out, and why, and shows them. */
export const ImagesBar = ({ email, isRisky, onShow }: ImagesBarProps) => {
  const always = useAlwaysShow()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-canvas px-3 py-2 text-sm">
      <ImageOff aria-hidden className="size-4 shrink-0 text-faint" />
      <p className="min-w-40 flex-1 text-muted">Remote images are hidden to protect your privacy.</p>
      <div className="flex flex-wrap items-center gap-1.5">
        <Button size="sm" onClick={onShow}>
          Show images
        </Button>
        {email === null || isRisky ? null : (
          <Menu
            trigger={
              <Button size="sm" variant="ghost">
                Always show <ChevronDown aria-hidden />
              </Button>
            }
          >
            <MenuItem onSelect={() => void always(email.toLowerCase())}>Always from {email}</MenuItem>
            <MenuItem onSelect={() => void always(domainOf(email))}>Always from {domainOf(email).slice(1)}</MenuItem>
            <MenuItem onSelect={() => void always(null)}>Always from everyone</MenuItem>
          </Menu>
        )}
      </div>
    </div>
  )
}

/** Remembers whose pictures are shown; null: everybody's. */
const useAlwaysShow = () => {
  const queryClient = useQueryClient()
  return async (sender: string | null): Promise<void> => {
    try {
      const before = await queryClient.ensureQueryData(mailSettingsQuery)
      const change =
        sender === null
          ? { show_images: 'always' as const }
          : { image_senders: withImageSender(before.image_senders, sender) }
      queryClient.setQueryData(mailSettingsQuery.queryKey, await changeSettings(change))
      const undo = async () => {
        const { show_images, image_senders } = before
        queryClient.setQueryData(mailSettingsQuery.queryKey, await changeSettings({ show_images, image_senders }))
      }
      toast({
        title: `Images from ${sender === null ? 'everyone' : sender.replace(/^@/, '')} will be shown`,
        action: { label: 'Undo', onAction: () => void undo().catch(announceProblem) },
      })
    } catch (error) {
      announceProblem(error)
    }
  }
}

const announceProblem = (error: unknown): void =>
  void toast({ tone: 'danger', title: "Couldn't save", description: messageOf(error) })
