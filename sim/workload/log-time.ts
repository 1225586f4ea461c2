// The time stamps of access logs, `17/May/2015:10:05:03 +0000`, without the platform's Date, which
// belongs to the simulated hosts.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const timePattern =
  /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2})(?: ([+-])(\d{2})(\d{2}))?$/;

/** Milliseconds since the Unix epoch, or undefined when it is no time stamp. Default zone: UTC. */
export function parseLogTime(text: string): number | undefined {
  const fields = timePattern.exec(text);
  if (fields === null) return undefined;
  const month = months.indexOf(fields[2] ?? '') + 1;
  const [day, year, hour, minute, second] = [1, 3, 4, 5, 6].map((at) => Number(fields[at]));
  if (day === undefined || year === undefined) return undefined;
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  // A leap second is written as 60.
  if (month === 0 || hour > 23 || minute > 59 || second > 60) return undefined;
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  const zoneMinutes = Number(fields[8] ?? 0) * 60 + Number(fields[9] ?? 0);
  const offsetMinutes = fields[7] === '-' ? -zoneMinutes : zoneMinutes;
  const minutes = daysSinceEpoch(year, month, day) * 1440 + hour * 60 + minute - offsetMinutes;
  return (minutes * 60 + second) * 1000;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Days from 1970-01-01 in the Gregorian calendar. Years are counted from March, so the leap day is
 * the last of its year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
