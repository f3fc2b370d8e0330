/* What stands on the page before Streamlit does: the keys are heard, and the menu is folded, from the first moment. */

import { installLanguages, keepLanguage } from "./language.js";
import { awaitPage, installKeys } from "./keys.js";
import { reloadWhenLost } from "./lost.js";
import { installMenu } from "./menu.js";

const WITHOUT_BEATS = ["", "lectures", "worksheets", "gallery"];

const page = location.pathname.split("/").pop() ?? "";
if (!WITHOUT_BEATS.includes(page)) awaitPage();
keepLanguage();
installLanguages();
installKeys();
installMenu();
reloadWhenLost();
