/** Messages that IMAP sessions have reported as recent. */
export type RecentTables = {
  folder_recent: FolderRecentTable
}

export type FolderRecentTable = {
  address_id: string
  folder_id: string
  uid: number
}
