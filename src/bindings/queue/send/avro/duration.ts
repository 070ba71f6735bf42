/** Months, days and milliseconds are 32 bits each: so many digits of every part always fit. */
const durationText =
  /^P(?!$)(?:(\d{1,8})Y)?(?:(\d{1,9})M)?(?:(\d{1,8})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:(\d{1,4})(?:\.(\d{1,3}))?S)?)?$/;

/** Months, days and milliseconds of `P1Y2M3DT4H5M6.7S`, four bytes each, the lowest first. */
export function readDuration(text: string): Buffer | undefined {
  const parts = durationText.exec(text);
  if (parts === null) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1, 8)
    .map((part: string | undefined) => Number(part ?? 0));
  const fraction = Number((parts[8] ?? "").padEnd(3, "0"));
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(years * 12 + months, 0);
  bytes.writeUInt32LE(weeks * 7 + days, 4);
  bytes.writeUInt32LE(((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction, 8);
  return bytes;
}
