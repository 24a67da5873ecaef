export const TransferScreen = () => null
