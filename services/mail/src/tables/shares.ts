/** Mailboxes that others than their owner use. */
export type SharesTables = {
  share: ShareTable
  viewed: ViewedTable
}

export type ShareTable = {
  address_id: string
  id: string
  with_address_id: string
  access: 'read' | 'write' | 'full'
  created_at: Date
}

export type ViewedTable = {
  address_id: string
  viewer_id: string
  message_id: string
}
